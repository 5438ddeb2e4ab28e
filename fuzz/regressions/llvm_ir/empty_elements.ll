; So many elements that nothing is in.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
define i32 @main() {
  %a = alloca [4000000000 x {}]
  %v = load [4000000000 x {}], [4000000000 x {}]* %a
  ret i32 0
}
