; kripke: check
; verdict: holds

; Without `nsw` a sum wraps round.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)

define i32 @main() {
entry:
  %y = add i32 2147483647, 1
  %c = icmp eq i32 %y, -2147483648
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
