package org.fedometer.agent.core.weave;

import aj.org.objectweb.asm.ClassReader;
import aj.org.objectweb.asm.ClassVisitor;
import aj.org.objectweb.asm.MethodVisitor;
import aj.org.objectweb.asm.Opcodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.aspectj.weaver.patterns.NamePattern;

/**
 * Facts about a class without loading another one: its names, its supertypes, and the names of its
 * methods and their callees. Reflection would load parameter types and enclosing classes. So
 * methods come from the class file, if found, and enclosing classes are looked up by name among the
 * loaded ones. One thread.
 */
final class TypeFacts {

  /** Tags of constants in a class file. */
  private static final int METHOD_REFERENCE = 10;

  private static final int INTERFACE_METHOD_REFERENCE = 11;

  private final Class<?> type;
  private final String name;
  private final LoadedTypes loadedOrNull;
  private Set<String> above;
  private Set<String> methodNames;
  private Set<String> calledNames;
  private boolean isRead;

  private TypeFacts(Class<?> type, String name, LoadedTypes loadedOrNull) {
    this.type = type;
    this.name = name;
    this.loadedOrNull = loadedOrNull;
  }

  static TypeFacts of(Class<?> type, LoadedTypes loaded) {
    return new TypeFacts(type, type.getName(), loaded);
  }

  /** Returns facts from the class itself: none about its methods or enclosing classes. */
  static TypeFacts of(Class<?> type) {
    return new TypeFacts(type, type.getName(), null);
  }

  static TypeFacts ofName(String className) {
    return new TypeFacts(null, className, null);
  }

  /** Returns facts of a class that no pattern names. */
  static TypeFacts ofNone() {
    return new TypeFacts(null, "", null);
  }

  String name() {
    return name;
  }

  /** Returns whether the class file was requested. */
  boolean isRead() {
    return isRead;
  }

  Set<String> itselfAndEnclosing() {
    if (name.isEmpty()) {
      return Collections.emptySet();
    }
    Set<String> names = new LinkedHashSet<>();
    names.add(name);
    for (int at = name.lastIndexOf('$'); at > 0; at = name.lastIndexOf('$', at - 1)) {
      names.add(name.substring(0, at));
    }
    return names;
  }

  /** Returns names for patterns with a plus. Considers an enclosing class only if it is loaded. */
  Set<String> itselfAndEnclosingAndAbove() {
    Set<String> names = new LinkedHashSet<>(itselfAndAbove());
    for (String next : itselfAndEnclosing()) {
      names.add(next);
      Class<?> around =
          loadedOrNull == null ? null : loadedOrNull.loadedOrNull(type.getClassLoader(), next);
      if (around != null) {
        names.addAll(TypeFacts.of(around).itselfAndAbove());
      }
    }
    return names;
  }

  Set<String> itselfAndAbove() {
    if (above == null) {
      above = new LinkedHashSet<>();
      if (type != null) {
        addAbove(type);
      } else if (!name.isEmpty()) {
        above.add(name);
      }
    }
    return above;
  }

  private void addAbove(Class<?> next) {
    if (next != null && above.add(next.getName())) {
      addAbove(next.getSuperclass());
      for (Class<?> parent : next.getInterfaces()) {
        addAbove(parent);
      }
    }
  }

  /** Returns whether the class itself has a method of such a name; true if unknown. */
  boolean mayDeclare(NamePattern pattern) {
    read();
    return mayMatch(pattern, methodNames);
  }

  /** Returns whether code of the class calls a method of such a name; true if unknown. */
  boolean mayCall(NamePattern pattern) {
    read();
    return mayMatch(pattern, calledNames);
  }

  private static boolean mayMatch(NamePattern pattern, Set<String> namesOrNull) {
    if (namesOrNull == null) {
      return true;
    }
    for (String name : namesOrNull) {
      if (pattern.matches(name)) {
        return true;
      }
    }
    return false;
  }

  private void read() {
    if (isRead) {
      return;
    }
    isRead = true;
    byte[] classFile = classFileOrNull();
    if (classFile == null) {
      return;
    }
    try {
      ClassReader reader = new ClassReader(classFile);
      Set<String> called = namesOfCalls(reader);
      methodNames = namesOfMethods(reader);
      calledNames = called;
    } catch (RuntimeException broken) {
      // The methods stay unknown.
    }
  }

  /** Returns the class file; null if it is not found or unreadable. */
  byte[] classFileOrNull() {
    if (loadedOrNull == null || type.getClassLoader() == null) {
      return null;
    }
    try (InputStream in = loadedOrNull.classFileOrNull(type)) {
      if (in == null) {
        return null;
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] buffer = new byte[8192];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        bytes.write(buffer, 0, count);
      }
      return bytes.toByteArray();
    } catch (IOException | RuntimeException | LinkageError unreadable) {
      return null;
    }
  }

  private static Set<String> namesOfMethods(ClassReader reader) {
    Set<String> names = new HashSet<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String method, String type, String signature, String[] exceptions) {
            names.add(method);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    return names;
  }

  /** Reads all method references among the constants, which is faster than scanning code. */
  private static Set<String> namesOfCalls(ClassReader reader) {
    Set<String> names = new HashSet<>();
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int index = 1; index < reader.getItemCount(); index++) {
      int at = reader.getItem(index);
      // The second half of a long constant has no offset.
      int tag = at == 0 ? 0 : reader.readByte(at - 1);
      if (tag == METHOD_REFERENCE || tag == INTERFACE_METHOD_REFERENCE) {
        int nameAndType = reader.getItem(reader.readUnsignedShort(at + 2));
        names.add(reader.readUTF8(nameAndType, buffer));
      }
    }
    return names;
  }
}
