; kripke: check
; verdict: holds

; A frozen value is any, but the same at each use.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)

define i32 @main() {
entry:
  %x = freeze i32 undef
  %y = sub i32 %x, %x
  %c = icmp eq i32 %y, 0
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
