package org.fedometer.agent.core.weave;

import aj.org.objectweb.asm.ClassWriter;
import aj.org.objectweb.asm.MethodVisitor;
import aj.org.objectweb.asm.Opcodes;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fcrepo.server.management.DefaultManagement;
import org.fedometer.agent.StandInInstrumentation;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.wire.session.AgentReport;

/**
 * A program and its agent: weaves a large class while another thread links it, again and again.
 * Each round is another moment of the linking. Prints one line.
 */
public final class LinkingRounds {

  private static final String NAME = DefaultManagement.class.getName();
  private static final int METHODS = 10;
  private static final int CONSTANTS = 5_000;
  private static final long TIMEOUT_MILLIS = 60_000;

  private static Instrumentation jvm;

  private final ExecutorService linker = Executors.newSingleThreadExecutor();
  private final WeavingPlan plan = WeavingPlan.load(CustomStages.none());
  private final byte[] large = largeClass();
  private byte[] linked;
  private byte[] given;
  private ClassFileTransformer weaver;
  private int broken;
  private int unwoven;

  private LinkingRounds() throws Exception {}

  public static void premain(String none, Instrumentation instrumentation) {
    jvm = instrumentation;
  }

  /**
   * @param arguments how many rounds
   */
  public static void main(String[] arguments) throws Exception {
    new LinkingRounds().play(Integer.parseInt(arguments[0]));
  }

  private void play(int rounds) throws Exception {
    jvm.addTransformer(new Given(), true);
    Class<?> first = new Webapp().define(large);
    long linkingNanos = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      first = new Webapp().define(large);
      long beganNanos = System.nanoTime();
      first.getFields();
      linkingNanos = Math.min(linkingNanos, System.nanoTime() - beganNanos);
    }
    jvm.retransformClasses(first);
    linked = given;
    for (int round = 0; round < rounds; round++) {
      weave(new Webapp().define(large), linkingNanos * round / rounds);
    }
    linker.shutdown();
    System.out.println(broken + " broken, " + unwoven + " unwoven, of " + rounds);
  }

  private void weave(Class<?> type, long afterNanos) throws Exception {
    Weaving weaving =
        new Weaving(
            StandInInstrumentation.of(
                this::setWeaver,
                () -> new Class<?>[] {type},
                batch -> {
                  Future<?> linking =
                      linker.submit(() -> Class.forName(NAME, true, type.getClassLoader()));
                  long beganNanos = System.nanoTime();
                  while (System.nanoTime() - beganNanos < afterNanos) {
                    Thread.onSpinWait();
                  }
                  try {
                    jvm.retransformClasses(batch);
                  } finally {
                    linking.get();
                  }
                }),
            plan,
            new AgentLog());
    boolean isDone = weaving.begin(TIMEOUT_MILLIS);
    String summary = weaving.report().summary();
    boolean isWoven =
        weaving.report().stages().stream()
            .anyMatch(
                stage ->
                    stage.name().equals("ingest")
                        && stage.weaving() == AgentReport.Weaving.WOVEN
                        && !stage.detail().contains("but"));
    if (!isDone || !isWoven || summary.contains("complaints")) {
      unwoven++;
    }
    weaving.end(TIMEOUT_MILLIS);
  }

  private void setWeaver(ClassFileTransformer addedOrNull) {
    if (addedOrNull == null) {
      jvm.removeTransformer(weaver);
    } else {
      jvm.addTransformer(addedOrNull, true);
    }
    weaver = addedOrNull;
  }

  /** Returns a class that the JVM needs as long to rewrite as to verify. */
  private static byte[] largeClass() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        Opcodes.V1_8,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER,
        NAME.replace('.', '/'),
        null,
        "java/lang/Object",
        null);
    for (int i = 0; i < METHODS; i++) {
      MethodVisitor method =
          writer.visitMethod(
              Opcodes.ACC_PUBLIC,
              i == 0 ? "ingest" : "method" + i,
              "(Ljava/lang/Object;Ljava/io/InputStream;Ljava/lang/String;Ljava/lang/String;"
                  + "Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
              null,
              null);
      method.visitCode();
      for (int constant = 0; constant < CONSTANTS; constant++) {
        method.visitLdcInsn("constant " + constant);
        method.visitInsn(Opcodes.POP);
      }
      method.visitVarInsn(Opcodes.ALOAD, 6);
      method.visitInsn(Opcodes.ARETURN);
      method.visitMaxs(0, 0);
      method.visitEnd();
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Notes what the JVM gives to its transformers for the class. */
  private final class Given implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader,
        String internalName,
        Class<?> loaded,
        ProtectionDomain domain,
        byte[] bytecode) {
      if (loaded != null && loader instanceof Webapp) {
        given = bytecode;
        if (linked != null && !Arrays.equals(linked, given)) {
          broken++;
        }
      }
      return null;
    }
  }

  /** Has one class of Fedora's, and no other. */
  private static final class Webapp extends ClassLoader {
    Webapp() {
      super(LinkingRounds.class.getClassLoader());
    }

    Class<?> define(byte[] bytecode) {
      return defineClass(NAME, bytecode, 0, bytecode.length);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (findLoadedClass(name) == null
          && !name.startsWith("java.")
          && !name.startsWith("org.fedometer.")) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }
}
