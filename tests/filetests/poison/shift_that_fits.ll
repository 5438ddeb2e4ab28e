; kripke: check
; verdict: holds

; A shift by less than the width has its value.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)
declare i32 @input()

define i32 @main() {
entry:
  %x = call i32 @input()
  %n = and i32 %x, 31
  %y = shl i32 0, %n
  %c = icmp eq i32 %y, 0
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
