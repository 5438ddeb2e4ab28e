; kripke: check
; verdict: violated
; violates: main.assertion.1

; A shift by the width or more is poison, not zero.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)
declare i32 @input()

define i32 @main() {
entry:
  %x = call i32 @input()
  %y = shl i32 %x, 40
  %c = icmp eq i32 %y, 0
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
