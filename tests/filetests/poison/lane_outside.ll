; kripke: check
; verdict: violated
; violates: main.assertion.1

; An element outside its vector is poison.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)
declare i32 @input()

define i32 @main() {
entry:
  %i = call i32 @input()
  %y = extractelement <2 x i32> zeroinitializer, i32 %i
  %c = icmp eq i32 %y, 0
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
