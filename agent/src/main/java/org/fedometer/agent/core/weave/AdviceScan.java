package org.fedometer.agent.core.weave;

import aj.org.objectweb.asm.ClassReader;
import aj.org.objectweb.asm.ClassVisitor;
import aj.org.objectweb.asm.MethodVisitor;
import aj.org.objectweb.asm.Opcodes;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.fedometer.aspects.LockAcquired;
import org.fedometer.aspects.LockWait;

/**
 * Finds the aspects that a class calls in its bytecode, since a weaver may omit an aspect silently.
 * For one class; not thread-safe.
 */
final class AdviceScan {

  private static final String ASPECT_OF = "aspectOf";
  private static final String BEFORE = "ajc$before$";
  private static final String AFTER_RETURNING = "ajc$afterReturning$";
  private static final String AFTER_THROWING = "ajc$afterThrowing$";

  private static final String WAITS = BEFORE + LockWait.class.getName().replace('.', '_') + "$";
  private static final String ACQUIRED =
      BEFORE + LockAcquired.class.getName().replace('.', '_') + "$";

  private final Map<String, Set<String>> places = new LinkedHashMap<>();
  private final Map<String, Set<String>> partialPlaces = new LinkedHashMap<>();
  private final Map<String, Set<String>> calls = new LinkedHashMap<>();
  private final Map<String, Set<String>> waits = new LinkedHashMap<>();
  private final Map<String, Set<String>> acquired = new LinkedHashMap<>();

  private AdviceScan() {}

  /** Returns the scan of a class that the weaver left unchanged. */
  static AdviceScan empty() {
    return new AdviceScan();
  }

  /**
   * @param bytecode a class after weaving
   */
  static AdviceScan of(byte[] bytecode) {
    AdviceScan scan = new AdviceScan();
    ClassReader reader = new ClassReader(bytecode);
    reader.accept(
        scan.new Methods(reader.getClassName().replace('/', '.')),
        ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return scan;
  }

  /** Returns methods, as {@code a.b.C.method}, that report their start and each of their ends. */
  Set<String> placesOf(String aspect) {
    return places.getOrDefault(aspect, new LinkedHashSet<String>());
  }

  /**
   * Returns methods that report only part of it; never observed, and never to be counted as timed.
   */
  Set<String> partialPlacesOf(String aspect) {
    return partialPlaces.getOrDefault(aspect, new LinkedHashSet<String>());
  }

  /** Returns methods that call any advice of this aspect, which times nothing. */
  Set<String> callsOf(String aspect) {
    return calls.getOrDefault(aspect, new LinkedHashSet<String>());
  }

  /** Returns methods in which a thread begins to wait, for a {@link LockWait}. */
  Set<String> waitsOf(String aspect) {
    return waits.getOrDefault(aspect, new LinkedHashSet<String>());
  }

  /** Returns methods in which a thread reports that it has the lock, for a {@link LockAcquired}. */
  Set<String> acquiredOf(String aspect) {
    return acquired.getOrDefault(aspect, new LinkedHashSet<String>());
  }

  private static void put(Map<String, Set<String>> map, String aspect, String place) {
    Set<String> known = map.get(aspect);
    if (known == null) {
      known = new LinkedHashSet<>();
      map.put(aspect, known);
    }
    known.add(place);
  }

  private final class Methods extends ClassVisitor {
    private final String className;

    Methods(String className) {
      super(Opcodes.ASM9);
      this.className = className;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new Calls(className + "." + name);
    }
  }

  private final class Calls extends MethodVisitor {
    private final String place;
    private final Map<String, Set<String>> kindsByAspect = new LinkedHashMap<>();
    private String aspect = "";
    private boolean returns;

    Calls(String place) {
      super(Opcodes.ASM9);
      this.place = place;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (name.equals(ASPECT_OF)) {
        aspect = owner.replace('/', '.');
      } else if (name.startsWith(WAITS)) {
        put(waits, aspect, place);
      } else if (name.startsWith(ACQUIRED)) {
        put(acquired, aspect, place);
      } else {
        for (String kind : new String[] {BEFORE, AFTER_RETURNING, AFTER_THROWING}) {
          if (name.startsWith(kind)) {
            put(kindsByAspect, aspect, kind);
          }
        }
      }
    }

    @Override
    public void visitInsn(int opcode) {
      returns |= opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
    }

    @Override
    public void visitEnd() {
      for (Map.Entry<String, Set<String>> entry : kindsByAspect.entrySet()) {
        Set<String> kinds = entry.getValue();
        boolean complete =
            kinds.contains(BEFORE)
                && kinds.contains(AFTER_THROWING)
                && (kinds.contains(AFTER_RETURNING) || !returns);
        put(complete ? places : partialPlaces, entry.getKey(), place);
        put(calls, entry.getKey(), place);
      }
    }
  }
}
