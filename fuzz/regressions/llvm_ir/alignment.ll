; An alignment that is no power of two.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
define i32 @main() {
  %a = alloca i32, align 63
  store i32 1, i32* %a, align 63
  ret i32 0
}
