package org.fedometer.agent.core.weave;

import aj.org.objectweb.asm.ClassWriter;
import aj.org.objectweb.asm.MethodVisitor;
import aj.org.objectweb.asm.Opcodes;
import aj.org.objectweb.asm.Type;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.aspectj.weaver.loadtime.definition.Definition;
import org.fedometer.aspects.LockWait;
import org.fedometer.aspects.TimedStage;
import org.fedometer.aspects.recorder.Stages;

/**
 * The aspect of a custom stage, in two halves. Woven code calls a class beside {@link TimedStage},
 * defined once per stage name until the JVM ends; it knows only its stage. Only the weaver has the
 * pointcut, so it can differ at the next attach. Stateless, any thread.
 */
final class CustomAspect {

  private static final String CLASS_PREFIX = "org.fedometer.aspects.CustomStage_";

  /**
   * If both time the same method, a custom stage is nested and never the root of a trace. It
   * encloses only a wait for a lock, which has no nested stage.
   */
  private static final String PRECEDENCE =
      "!" + CLASS_PREFIX + "* && !" + LockWait.class.getName() + "+, " + CLASS_PREFIX + "*";

  /** Name of the pointcut in {@link TimedStage}. */
  private static final String POINTCUT = "timed";

  private CustomAspect() {}

  /** Returns the class that woven code calls; unique per stage name. */
  static String className(String stage) {
    return CLASS_PREFIX + stage.replace(".", "__").replace('-', '_');
  }

  /** Returns the definition for the weaver, which generates its own class from it. */
  static Definition.ConcreteAspect forWeaver(CustomStage stage) {
    Definition.ConcreteAspect concrete =
        new Definition.ConcreteAspect(
            className(stage.name()), TimedStage.class.getName(), PRECEDENCE, null);
    concrete.pointcuts.add(new Definition.Pointcut(POINTCUT, stage.pointcut()));
    return concrete;
  }

  static boolean hasNumberFor(String stage) {
    return Stages.names().contains(stage) || Stages.names().size() < Stages.LIMIT;
  }

  /** Defines the class that woven code calls, unless an earlier attach has done so. */
  static synchronized void instantiate(String stage) throws Exception {
    ClassLoader loader = TimedStage.class.getClassLoader();
    String className = className(stage);
    Class<?> type;
    try {
      type = Class.forName(className, true, loader);
    } catch (ClassNotFoundException firstTime) {
      type = define(className, bytecode(className, stage));
    }
    type.getMethod("aspectOf").invoke(null);
  }

  private static byte[] bytecode(String className, String stage) {
    String self = className.replace('.', '/');
    String parent = Type.getInternalName(TimedStage.class);
    String selfDescriptor = "L" + self + ";";
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        Opcodes.V1_8,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER,
        self,
        null,
        parent,
        null);
    writer
        .visitField(
            Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL,
            "INSTANCE",
            selfDescriptor,
            null,
            null)
        .visitEnd();

    MethodVisitor constructor =
        writer.visitMethod(Opcodes.ACC_PRIVATE, "<init>", "()V", null, null);
    constructor.visitCode();
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitLdcInsn(stage);
    constructor.visitMethodInsn(
        Opcodes.INVOKESPECIAL, parent, "<init>", "(Ljava/lang/String;)V", false);
    end(constructor, Opcodes.RETURN);

    MethodVisitor initializer =
        writer.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
    initializer.visitCode();
    initializer.visitTypeInsn(Opcodes.NEW, self);
    initializer.visitInsn(Opcodes.DUP);
    initializer.visitMethodInsn(Opcodes.INVOKESPECIAL, self, "<init>", "()V", false);
    initializer.visitFieldInsn(Opcodes.PUTSTATIC, self, "INSTANCE", selfDescriptor);
    end(initializer, Opcodes.RETURN);

    MethodVisitor aspectOf =
        writer.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "aspectOf", "()" + selfDescriptor, null, null);
    aspectOf.visitCode();
    aspectOf.visitFieldInsn(Opcodes.GETSTATIC, self, "INSTANCE", selfDescriptor);
    end(aspectOf, Opcodes.ARETURN);

    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void end(MethodVisitor method, int returning) {
    method.visitInsn(returning);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  private static Class<?> define(String className, byte[] bytecode) throws Exception {
    try {
      return isJava8() ? defineOnJava8(className, bytecode) : defineBesideTimedStage(bytecode);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
    }
  }

  private static boolean isJava8() {
    return System.getProperty("java.specification.version", "").startsWith("1.");
  }

  /**
   * Calls {@code MethodHandles.privateLookupIn(TimedStage.class, lookup()).defineClass(bytecode)}.
   */
  private static Class<?> defineBesideTimedStage(byte[] bytecode) throws Exception {
    Object beside =
        MethodHandles.class
            .getMethod("privateLookupIn", Class.class, MethodHandles.Lookup.class)
            .invoke(null, TimedStage.class, MethodHandles.lookup());
    return (Class<?>)
        MethodHandles.Lookup.class
            .getMethod("defineClass", byte[].class)
            .invoke(beside, (Object) bytecode);
  }

  private static Class<?> defineOnJava8(String className, byte[] bytecode) throws Exception {
    Method defineClass =
        ClassLoader.class.getDeclaredMethod(
            "defineClass", String.class, byte[].class, int.class, int.class);
    defineClass.setAccessible(true);
    return (Class<?>)
        defineClass.invoke(
            TimedStage.class.getClassLoader(), className, bytecode, 0, bytecode.length);
  }
}
