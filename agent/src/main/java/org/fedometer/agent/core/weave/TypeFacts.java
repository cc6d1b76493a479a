package org.fedometer.agent.core.weave;

import aj.org.objectweb.asm.ClassReader;
import aj.org.objectweb.asm.ClassVisitor;
import aj.org.objectweb.asm.MethodVisitor;
import aj.org.objectweb.asm.Opcodes;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.aspectj.weaver.patterns.NamePattern;

/**
 * What is known of a class without loading another one: its names, those above it, and the names of
 * its methods. Reflection on methods would load the types of their parameters, and on the enclosing
 * class that one: so methods are read from the class file, where that can be found, and enclosing
 * classes are looked for by their names among those that are loaded. One thread.
 */
final class TypeFacts {

  private final Class<?> type;
  private final String name;
  private final LoadedTypes loadedOrNull;
  private Set<String> above;
  private Set<String> methodNames;
  private boolean methodsAsked;

  private TypeFacts(Class<?> type, String name, LoadedTypes loadedOrNull) {
    this.type = type;
    this.name = name;
    this.loadedOrNull = loadedOrNull;
  }

  /**
   * @param loaded also to read class files by
   */
  static TypeFacts of(Class<?> type, LoadedTypes loaded) {
    return new TypeFacts(type, type.getName(), loaded);
  }

  /** What the class itself tells: nothing of its methods, nor of what is around it. */
  static TypeFacts of(Class<?> type) {
    return new TypeFacts(type, type.getName(), null);
  }

  static TypeFacts ofName(String className) {
    return new TypeFacts(null, className, null);
  }

  /** A class that no pattern speaks of. */
  static TypeFacts ofNobody() {
    return new TypeFacts(null, "", null);
  }

  String name() {
    return name;
  }

  /** Whether somebody has asked for what is in the class file. */
  boolean isRead() {
    return methodsAsked;
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

  /** For patterns with a plus. An enclosing class is there already, or it is not looked at. */
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

  /** Whether a method of the class itself has such a name; true where nobody knows. */
  boolean mayDeclare(NamePattern pattern) {
    if (!methodsAsked) {
      methodsAsked = true;
      methodNames = methodNamesOrNull();
    }
    if (methodNames == null) {
      return true;
    }
    for (String method : methodNames) {
      if (pattern.matches(method)) {
        return true;
      }
    }
    return false;
  }

  private Set<String> methodNamesOrNull() {
    if (loadedOrNull == null || type.getClassLoader() == null) {
      return null;
    }
    try (InputStream in = loadedOrNull.classFileOrNull(type)) {
      if (in == null) {
        return null;
      }
      Set<String> names = new HashSet<>();
      ClassReader reader = new ClassReader(in);
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
    } catch (IOException | RuntimeException | LinkageError unreadable) {
      return null;
    }
  }
}
