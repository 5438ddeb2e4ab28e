; kripke: check
; verdict: violated
; violates: main.assertion.1

; A NaN against `nnan` is poison, and may compare equal to itself.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)
declare float @input()

define i32 @main() {
entry:
  %x = call float @input()
  %y = fadd nnan float %x, 0.0
  %a = fcmp uno float %x, %x
  %b = fcmp uno float %y, %y
  %n = xor i1 %a, true
  %c = or i1 %n, %b
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
