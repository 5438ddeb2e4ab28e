; kripke: check
; verdict: violated
; violates: main.assertion.1

; A member of an undefined struct is not zero.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)

define i32 @main() {
entry:
  %s = insertvalue { i32, i32 } undef, i32 1, 0
  %y = extractvalue { i32, i32 } %s, 1
  %c = icmp eq i32 %y, 0
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
