//! What is checked, and what is not: each program, run by the interpreter with all inputs zero, ends in the
//! violation that its row names, or in none.

mod compilers;

use kripke_elts::Program;
use kripke_elts::interpreter::{self, End, OutputCollector, RunOptions, ZeroInputs};
use kripke_llvm::clang::{CompileOptions, Source};
use kripke_llvm::loader::{LoadOptions, load};
use kripke_llvm::translate::TranslateOptions;
use kripke_model::PropertyKind;
use kripke_model::PropertyKind::*;

/// How a run ends.
#[derive(Debug, PartialEq)]
enum Ending {
    /// With exit code 0.
    Fine,
    /// A property of this kind is violated.
    Violates(PropertyKind),
    /// By `abort` or a function that does not return.
    Aborts,
    /// At a false assumption.
    Assumes,
    /// At a construct without translation.
    Unsupported,
    /// Otherwise.
    Other(String),
}

use Ending::{Aborts, Assumes, Fine, Unsupported, Violates};

fn load_text(text: &str, clang: &str, translate: TranslateOptions) -> Result<Program, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("writable");
    let options = LoadOptions {
        sources: vec![Source {
            path,
            ..Source::default()
        }],
        compile: CompileOptions {
            clang: Some(clang.into()),
            standard: Some("gnu11".to_owned()),
            arguments: vec!["-w".to_owned()],
            ..CompileOptions::default()
        },
        translate,
    };
    let program = load(&options).map_err(|error| error.to_string())?.program;
    kripke_elts::verify(&program).unwrap_or_else(|error| panic!("{text}: {error}"));
    Ok(program)
}

fn ending(text: &str, clang: &str, options: TranslateOptions) -> Ending {
    let program = load_text(text, clang, options).unwrap_or_else(|error| panic!("{text}: {error}"));
    let limits = RunOptions {
        max_steps: Some(100_000),
        ..RunOptions::default()
    };
    match interpreter::run(
        &program,
        &mut ZeroInputs,
        &limits,
        &mut OutputCollector::default(),
    ) {
        End::Exit { code: None | Some(0) } => Fine,
        End::Violation { property, .. } => Violates(program.properties[property].kind),
        End::Abort => Aborts,
        End::AssumeFailed { .. } => Assumes,
        End::Unsupported { .. } => Unsupported,
        other => Ending::Other(format!("{other:?}")),
    }
}

fn check(rows: &[(&str, Ending)]) {
    for (text, expected) in rows {
        for clang in compilers::both() {
            assert_eq!(
                ending(text, clang, TranslateOptions::default()),
                *expected,
                "{clang}: {text}"
            );
        }
    }
}

#[test]
fn arithmetic() {
    check(&[
        (
            r#"int main(){int a=2147483647; a++; return a;}"#,
            Violates(Overflow),
        ),
        (
            r#"int main(){int a=-2147483647-1; a=-a; return a;}"#,
            Violates(Overflow),
        ),
        (
            r#"int f(int x){return 10/x;} int main(){return f(0);}"#,
            Violates(DivisionByZero),
        ),
        (
            r#"int f(int x){return 1<<x;} int main(){return f(32);}"#,
            Violates(Shift),
        ),
        (
            r#"int f(int x){return x<<1;} int main(){return f(-1);}"#,
            Violates(Shift),
        ),
        (
            r#"int a[4]; int f(int i){return a[i];} int main(){return f(4);}"#,
            Violates(Bounds),
        ),
        (
            r#"int f(double d){return (int)d;} int main(){return f(1e10);}"#,
            Violates(FloatCast),
        ),
        (
            r#"int f(int x){if(x) return 1;} int main(){return f(0);}"#,
            Violates(MissingReturn),
        ),
        (r#"int main(){__builtin_unreachable();}"#, Violates(Unreachable)),
        (
            r#"int f(int n){int a[n]; return sizeof a;} int main(){return f(0);}"#,
            Violates(VlaBound),
        ),
    ]);
}

#[test]
fn memory() {
    check(&[
        (
            r#"int f(int*p){return *p;} int main(){return f(0);}"#,
            Violates(Pointer),
        ),
        (
            r#"#include <stdlib.h>
int main(){int*p=malloc(4);*p=1;free(p);return *p;}"#,
            Violates(Pointer),
        ),
        (
            r#"#include <stdlib.h>
int main(){int*p=malloc(4);free(p);free(p);return 0;}"#,
            Violates(Free),
        ),
        (
            r#"#include <stdlib.h>
int main(){int*p=malloc(4);return p[1];}"#,
            Violates(Pointer),
        ),
        (
            r#"#include <stdlib.h>
int main(){int*p=malloc(4);return p[0];}"#,
            Violates(Uninitialised),
        ),
        (r#"int main(){int x; return x;}"#, Violates(Uninitialised)),
        (
            r#"int main(){int x[3]; x[0]=1; return x[1];}"#,
            Violates(Uninitialised),
        ),
        (
            r#"int main(){int i,s=0; for(i=0;i<2;i++){int x; if(i==0) x=1; s+=x;} return s;}"#,
            Violates(Uninitialised),
        ),
        (
            r#"int g(int a){return a;} int main(){void(*p)(void)=(void(*)(void))g; p(); return 0;}"#,
            Violates(FunctionPointer),
        ),
        (
            r#"int main(){int(*p)(int)=0; return p(3);}"#,
            Violates(FunctionPointer),
        ),
        (
            r#"#include <string.h>
int main(){char a[10]="abc"; memcpy(a+1,a,4); return 0;}"#,
            Violates(LibraryContract),
        ),
        (
            r#"#include <string.h>
int main(){char a[4]; strcpy(a,"abcdef"); return 0;}"#,
            Violates(LibraryContract),
        ),
        (
            r#"struct s{int a:3;int b:5;}; int main(){struct s x; return x.a;}"#,
            Violates(Uninitialised),
        ),
        (
            r#"const int x=1; int main(){*(int*)&x=2; return 0;}"#,
            Violates(Pointer),
        ),
        (
            r#"int main(){char*s="abc"; s[0]='x'; return 0;}"#,
            Violates(Pointer),
        ),
        (
            r#"int *f(void){int x=1; int*p=&x; return p;} int main(){return *f();}"#,
            Violates(Pointer),
        ),
        (
            r#"#include <stdarg.h>
int f(int n,...){va_list a; va_start(a,n); int x=va_arg(a,int); x=va_arg(a,int); return x;} int main(){return f(1,2);}"#,
            Violates(Pointer),
        ),
    ]);
}

#[test]
fn correct_programs() {
    check(&[
        (
            r#"int f(int x){if(x) return 1;} int main(){f(0); return 0;}"#,
            Fine,
        ),
        (
            r#"#define R (*(volatile unsigned*)0x40021000)
int main(){R=3; return R&1;}"#,
            Fine,
        ),
        (
            r#"struct s{int a;int b;}; int main(){struct s x={1,2},y; y=x; struct s*p=&y; *p=*p; return y.b-2;}"#,
            Fine,
        ),
        (
            r#"struct s{char a;int b;}; struct s f(struct s x){return x;} int main(){struct s x; x.a=1;x.b=2; return f(x).b-2;}"#,
            Fine,
        ),
        (
            r#"struct s{int a:3;int b:5;}; int main(){struct s x; x.a=1;x.b=2; return x.a-1;}"#,
            Fine,
        ),
        (
            r#"union u{int i;char c[4];}; union u f(union u x){return x;} int main(){union u x; x.c[0]=1; f(x); return 0;}"#,
            Fine,
        ),
        (r#"int main(){const int x=1; *(int*)&x=2; return 0;}"#, Fine),
        (
            r#"int x; int main(void){int y; int *p=&y; (void)y; *p=3; return y-3;}"#,
            Fine,
        ),
        (
            r#"int f(); int main(){return f(1,2)-3;} int f(int a,int b){return a+b;}"#,
            Fine,
        ),
        (
            r#"void f(int x){} int (*t[])()={(int(*)())f}; int g(){return 3;} int main(){int(*p)()=g; return p()-3;}"#,
            Fine,
        ),
        (
            r#"int g(int a,int b){return a+b;} int main(){int(*p)()=g; return p(1,2)-3;}"#,
            Fine,
        ),
        (
            r#"int main(){int x=5; while(x>0){int y=x; x-=y;} switch(x){int z; case 0: z=1; return z-1;} return 2;}"#,
            Fine,
        ),
        (
            r#"#include <stdlib.h>
int main(){int*p=calloc(3,4); int s=p[2]; p=realloc(p,100); s+=p[1]; free(p); return s;}"#,
            Fine,
        ),
        (
            r#"extern char _end[]; extern int lst[]; int main(){return lst[3]*0 + (_end==0);}"#,
            Fine,
        ),
        (
            r#"struct n{int v;struct n*next;}; static struct n b={2,0},a={1,&b}; int main(){int s=0;for(struct n*p=&a;p;p=p->next)s+=p->v;return s-3;}"#,
            Fine,
        ),
        (
            r#"void f(int*p){*p=1;} int main(){int x; f(&x); return x-1;}"#,
            Fine,
        ),
        (
            r#"int f(x) short x; {return x;} int main(){return f(3)-3;}"#,
            Fine,
        ),
        (
            r#"#include <stdio.h>
int main(){FILE*f=fopen("x","r"); if(f){fprintf(f,"%d",3);fclose(f);} fprintf(stderr,"e\n"); return 0;}"#,
            Fine,
        ),
        (
            r#"double d; int main(){double _Complex z=1.0; z=z*z; return (int)__real__ z-1;}"#,
            Fine,
        ),
        (
            r#"int main(){int x=3; int r; __asm__ volatile("nop"); __asm__("":"=r"(r):"0"(x)); return r-3;}"#,
            Fine,
        ),
    ]);
}

#[test]
fn assertions() {
    check(&[
        (
            r#"#include <assert.h>
int main(){int x=1; assert(x==2 && "text"); return 0;}"#,
            Violates(Assertion),
        ),
        (
            r#"void reach_error(){} int main(){reach_error();return 0;}"#,
            Violates(Assertion),
        ),
        (
            r#"#include <assert.h>
void reach_error(){assert(0);} int main(){reach_error();return 0;}"#,
            Violates(Assertion),
        ),
        (
            r#"extern void __VERIFIER_error(void); int main(){__VERIFIER_error();return 0;}"#,
            Violates(Assertion),
        ),
        (
            r#"void __VERIFIER_assert(int c){if(!(c)){ERROR: {extern void reach_error(void); reach_error();} } return;} int main(){__VERIFIER_assert(0);return 0;}"#,
            Violates(Assertion),
        ),
        (
            r#"extern void __VERIFIER_assert(int); int main(){__VERIFIER_assert(0);return 0;}"#,
            Violates(Assertion),
        ),
        (
            r#"void __ESBMC_assert(_Bool c, const char*m); int main(){__ESBMC_assert(0,"msg");return 0;}"#,
            Violates(Assertion),
        ),
    ]);
}

#[test]
fn other_ends() {
    check(&[
        (
            r#"#include <stdlib.h>
int main(){abort();}"#,
            Aborts,
        ),
        (
            r#"extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); int main(){int x=__VERIFIER_nondet_int(); __VERIFIER_assume(x>3); return 0;}"#,
            Assumes,
        ),
        (
            r#"#include <setjmp.h>
jmp_buf b; int main(){return setjmp(b);}"#,
            Unsupported,
        ),
        (r#"int main(){asm("cpuid"); return 0;}"#, Unsupported),
        (
            r#"#include <pthread.h>
void*f(void*x){return x;} int main(){pthread_t t; pthread_create(&t,0,f,0); return 0;}"#,
            Unsupported,
        ),
        (
            r#"int main(int c,char**v){void*l[]={&&a,&&b}; goto *l[c-1]; a: return 0; b: return 1;}"#,
            Unsupported,
        ),
        (
            r#"_Noreturn void die(void); int main(){die(); return *(int*)0;}"#,
            Aborts,
        ),
    ]);
}

#[test]
fn options() {
    let allocate = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; return 0; }";
    let with = |change: fn(&mut TranslateOptions)| {
        let mut options = TranslateOptions::default();
        change(&mut options);
        ending(allocate, "clang-19", options)
    };
    assert_eq!(with(|_| {}), Fine);
    // All inputs are zero: the allocation does not succeed.
    assert_eq!(with(|options| options.malloc_may_fail = true), Violates(Pointer));
    assert_eq!(with(|options| options.checks.extend([Leak])), Violates(Leak));
}

#[test]
fn entries() {
    let text = "struct s { int *p; }; int f(int x) { return 10 / x; } int g(int *p) { return p[0] + p[1]; }
                int h(struct s s) { return *s.p; } void call(void (*p)(int)) { p(3); }";
    let entry = |name: &str| TranslateOptions {
        entry: name.to_owned(),
        ..TranslateOptions::default()
    };
    assert_eq!(ending(text, "clang-19", entry("f")), Violates(DivisionByZero));
    let message = |name: &str| load_text(text, "clang-19", entry(name)).expect_err("no entry");
    assert_eq!(ending(text, "clang-19", entry("g")), Violates(Pointer));
    assert!(message("h").contains("pointer parameter `s"), "{}", message("h"));
    let assumptions =
        |name: &str| load_text(text, "clang-19", entry(name)).map(|program| program.assumptions);
    assert!(assumptions("g").is_ok_and(|all| all[0].contains("for p (--entry-objects)")));
    assert_eq!(
        assumptions("call"),
        Ok(Vec::new()),
        "a function pointer has any value"
    );
    assert!(message("main").contains("--entry"), "{}", message("main"));
}
