; kripke: check
; verdict: violated
; violates: main.assertion.1

; A float that no integer of the type equals converts to poison.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)

define i32 @main() {
entry:
  %y = fptosi float 4.0e10 to i32
  %c = icmp eq i32 %y, 0
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
