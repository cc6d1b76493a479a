package org.fedometer.agent.core.weave;

import aj.org.objectweb.asm.ClassReader;
import aj.org.objectweb.asm.ClassVisitor;
import aj.org.objectweb.asm.ClassWriter;
import aj.org.objectweb.asm.MethodVisitor;
import aj.org.objectweb.asm.Opcodes;
import aj.org.objectweb.asm.Type;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * Rewrites class files so that the class prints nothing, neither to standard output and error nor a
 * stack trace. AspectJ prints in dozens of places besides its message handler, and standard error
 * is Fedora's. Stateless, any thread.
 */
public final class OutputSilencer implements UnaryOperator<byte[]> {

  /** Replaces standard output and error; drops everything. */
  public static final PrintStream NULL_STREAM =
      new PrintStream(
          new OutputStream() {
            @Override
            public void write(int dropped) {
              // Dropped.
            }

            @Override
            public void write(byte[] dropped, int offset, int length) {
              // Dropped.
            }
          });

  private static final String STREAM = Type.getDescriptor(PrintStream.class);
  private static final String PRINT_STACK_TRACE = "printStackTrace";
  private static final String DUMP_STACK = "dumpStack";

  /**
   * @return the same bytes if the class does not print
   */
  @Override
  public byte[] apply(byte[] bytecode) {
    if (!mayPrint(bytecode)) {
      return bytecode;
    }
    ClassReader reader = new ClassReader(bytecode);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            return new SilencedMethod(
                super.visitMethod(access, name, descriptor, signature, exceptions));
          }
        },
        0);
    return writer.toByteArray();
  }

  private static boolean mayPrint(byte[] bytecode) {
    String constants = new String(bytecode, StandardCharsets.ISO_8859_1);
    return constants.contains(STREAM)
        || constants.contains(PRINT_STACK_TRACE)
        || constants.contains(DUMP_STACK);
  }

  private static final class SilencedMethod extends MethodVisitor {

    SilencedMethod(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (owner.equals("java/lang/System") && descriptor.equals(STREAM)) {
        super.visitFieldInsn(
            opcode, Type.getInternalName(OutputSilencer.class), "NULL_STREAM", descriptor);
      } else {
        super.visitFieldInsn(opcode, owner, name, descriptor);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      boolean takesNothing = descriptor.equals("()V");
      if (takesNothing && name.equals(PRINT_STACK_TRACE)) {
        // Replaces the throwable's method, which accesses standard error itself.
        super.visitInsn(Opcodes.POP);
      } else if (!takesNothing || !name.equals(DUMP_STACK) || !owner.equals("java/lang/Thread")) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }
  }
}
