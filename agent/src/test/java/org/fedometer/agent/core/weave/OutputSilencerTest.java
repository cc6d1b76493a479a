package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;

import aj.org.objectweb.asm.ClassReader;
import aj.org.objectweb.asm.ClassVisitor;
import aj.org.objectweb.asm.MethodVisitor;
import aj.org.objectweb.asm.Opcodes;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code AgentJarIT} covers the result for AspectJ's classes. */
public class OutputSilencerTest {

  @Test
  void aClassHasNothingLeftToPrintWithAndRunsAsBefore() throws Exception {
    byte[] bytecode = bytecodeOf(Loud.class);
    assertThat(printsOf(bytecode)).contains("length: dumpStack", "length: System.out");

    byte[] quiet = new OutputSilencer().apply(bytecode);

    assertThat(printsOf(quiet)).isEmpty();
    assertThat(new Quiet().define(quiet).getMethod("length", String.class).invoke(null, "four"))
        .isEqualTo(4);
  }

  @Test
  void aClassThatDoesNotPrintIsLeftAsItIs() throws Exception {
    byte[] bytecode = bytecodeOf(AdviceScan.class);
    assertThat(new OutputSilencer().apply(bytecode)).isSameAs(bytecode);
  }

  /** Returns the printing instructions of a class, by method. */
  public static List<String> printsOf(byte[] bytecode) {
    List<String> prints = new ArrayList<>();
    new ClassReader(bytecode)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String method, String type, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitFieldInsn(int opcode, String owner, String name, String type) {
                    if (owner.equals("java/lang/System") && !name.equals("in")) {
                      prints.add(method + ": System." + name);
                    }
                  }

                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String name, String type, boolean isInterface) {
                    if (name.equals("printStackTrace") && type.equals("()V")
                        || name.equals("dumpStack")) {
                      prints.add(method + ": " + name);
                    }
                  }
                };
              }
            },
            0);
    return prints;
  }

  private static byte[] bytecodeOf(Class<?> type) throws IOException {
    try (InputStream in =
        type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
      return in.readAllBytes();
    }
  }

  /** In every way that there is. */
  public static final class Loud {
    private Loud() {}

    public static int length(String text) {
      System.out.println(text);
      System.err.println(text);
      try {
        return text.length();
      } finally {
        new IllegalStateException(text).printStackTrace();
        new IllegalStateException(text).printStackTrace(System.err);
        Thread.dumpStack();
      }
    }
  }

  private static final class Quiet extends ClassLoader {
    Quiet() {
      super(OutputSilencerTest.class.getClassLoader());
    }

    Class<?> define(byte[] bytecode) {
      return defineClass(null, bytecode, 0, bytecode.length);
    }
  }
}
