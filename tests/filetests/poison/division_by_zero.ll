; kripke: check
; verdict: violated
; violates: main.division-by-zero.1

; A division by zero is undefined where it happens.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)
declare i32 @input()

define i32 @main() {
entry:
  %x = call i32 @input()
  %y = udiv i32 8, %x
  %c = icmp ule i32 %y, 8
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
