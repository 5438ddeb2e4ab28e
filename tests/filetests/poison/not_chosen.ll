; kripke: check
; verdict: holds

; Poison that `select` does not choose does no harm.

target triple = "x86_64-pc-linux-gnu"

declare void @__assert_fail(ptr, ptr, i32, ptr)

define i32 @main() {
entry:
  %x = shl i32 1, 40
  %y = select i1 true, i32 0, i32 %x
  %c = icmp eq i32 %y, 0
  br i1 %c, label %fine, label %wrong

wrong:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable

fine:
  ret i32 0
}
