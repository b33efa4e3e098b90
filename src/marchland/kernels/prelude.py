"""LLVM code that every module starts with: Python's division and slices, faults, and what is used of the C API."""

from typing import Final

FRAME_BYTES: Final = 640
"""Room for the C library's jmp_buf, which has 200 bytes on x86-64 Linux and 312 on 64-bit ARM, and then for a fault."""
FAULT_OFFSET: Final = 576

PRELUDE: Final = f"""
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
declare {{i64, i1}} @llvm.sadd.with.overflow.i64(i64, i64)
declare {{i64, i1}} @llvm.ssub.with.overflow.i64(i64, i64)
declare {{i64, i1}} @llvm.smul.with.overflow.i64(i64, i64)
declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare i64 @PyLong_AsLongLong(ptr)
declare i64 @PyLong_AsUnsignedLongLong(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyErr_Occurred()
declare void @PyErr_Clear()
declare void @PyErr_SetNone(ptr)
declare void @Py_DecRef(ptr)
declare ptr @Py_BuildValue(ptr, ...)
declare ptr @PyObject_CallObject(ptr, ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
@PyLong_Type = external global i8
@PyBool_Type = external global i8
@PyTuple_Type = external global i8
@marchland_word = external global i8
@marchland_ndarray = external global i8
@marchland_mismatch = external global i8
@marchland_raise_fault = external global i8
@fault_form = private constant [7 x i8] c"(sLLL)\\00"

; Leaves the kernel at once: the entry point continues where it called _setjmp.
define internal void @fault(ptr %frame, ptr %site, i64 %kind, i64 %first, i64 %second) cold noinline noreturn {{
  %record = getelementptr i8, ptr %frame, i64 {FAULT_OFFSET}
  store ptr %site, ptr %record
  %k = getelementptr i64, ptr %record, i64 1
  store i64 %kind, ptr %k
  %a = getelementptr i64, ptr %record, i64 2
  store i64 %first, ptr %a
  %b = getelementptr i64, ptr %record, i64 3
  store i64 %second, ptr %b
  call void @longjmp(ptr %frame, i32 1)
  unreachable
}}
; Rounds down. The divisor is not 0; the lowest integer divided by -1 wraps instead of trapping.
define internal i64 @floor_div(i64 %a, i64 %b) alwaysinline {{
  %minus = icmp eq i64 %b, -1
  %d = select i1 %minus, i64 1, i64 %b
  %q = sdiv i64 %a, %d
  %p = mul i64 %q, %d
  %r = sub i64 %a, %p
  %x = xor i64 %r, %d
  %n = icmp slt i64 %x, 0
  %z = icmp ne i64 %r, 0
  %f = and i1 %n, %z
  %m = sext i1 %f to i64
  %down = add i64 %q, %m
  %negative = sub i64 0, %a
  %result = select i1 %minus, i64 %negative, i64 %down
  ret i64 %result
}}
define internal i64 @floor_mod(i64 %a, i64 %b) alwaysinline {{
  %minus = icmp eq i64 %b, -1
  %d = select i1 %minus, i64 1, i64 %b
  %r = srem i64 %a, %d
  %x = xor i64 %r, %d
  %n = icmp slt i64 %x, 0
  %z = icmp ne i64 %r, 0
  %f = and i1 %n, %z
  %m = select i1 %f, i64 %d, i64 0
  %result = add i64 %r, %m
  ret i64 %result
}}
; Where a slice begins or ends.
define internal i64 @clamp_bound(i64 %i, i64 %length) alwaysinline {{
  %below = icmp slt i64 %i, 0
  %wrapped = add i64 %i, %length
  %j = select i1 %below, i64 %wrapped, i64 %i
  %k = call i64 @llvm.smax.i64(i64 %j, i64 0)
  %result = call i64 @llvm.smin.i64(i64 %k, i64 %length)
  ret i64 %result
}}
; The number of iterations of a range, as an unsigned integer. The step is not 0.
define internal i64 @range_length(i64 %start, i64 %stop, i64 %step) alwaysinline {{
  %up = icmp sgt i64 %step, 0
  %low = select i1 %up, i64 %start, i64 %stop
  %high = select i1 %up, i64 %stop, i64 %start
  %some = icmp slt i64 %low, %high
  %negative = sub i64 0, %step
  %size = select i1 %up, i64 %step, i64 %negative
  %span = sub i64 %high, %low
  %last = sub i64 %span, 1
  %full = udiv i64 %last, %size
  %count = add i64 %full, 1
  %result = select i1 %some, i64 %count, i64 0
  ret i64 %result
}}
!0 = !{{}}
!1 = !{{!"branch_weights", i32 1, i32 2000}}
!2 = !{{i64 0, i64 281474976710656}}
!3 = !{{!"regions"}}
"""
