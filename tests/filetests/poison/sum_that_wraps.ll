; kripke: check
; verdict: violated
; violates: main.assertion.1

; What wraps round against `nsw` is poison, not a negative number.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)
declare i32 @input()

define i32 @main() {
entry:
  %x = call i32 @input()
  %y = add nsw i32 %x, 1
  %z = icmp sge i32 %x, 0
  %n = icmp slt i32 %x, 0
  %c0 = icmp slt i32 %y, 0
  %p = icmp sge i32 %y, 0
  %m = icmp eq i32 %x, 2147483647
  %c1 = xor i1 %m, true
  %c = or i1 %c1, %c0
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
