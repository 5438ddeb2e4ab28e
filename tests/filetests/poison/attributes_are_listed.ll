; kripke: check
; verdict: holds
; prints: the attributes of LLVM IR that are not checked are true: noundef

; Attributes of parameters are neither assumed nor checked.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)
define i32 @same(i32 noundef %x) {
  ret i32 %x
}

define i32 @main() {
entry:
  %y = call i32 @same(i32 noundef 3)
  %c = icmp eq i32 %y, 3
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
