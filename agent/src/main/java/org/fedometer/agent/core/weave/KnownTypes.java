package org.fedometer.agent.core.weave;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Checks whether a type is loaded, or can be loaded by the loader of some class of Fedora; loads
 * none. If a loader fails, the type counts as present. One thread.
 */
final class KnownTypes implements Predicate<String> {
  private final Set<String> loaded = new HashSet<>();
  private final Set<String> found = new HashSet<>();
  private final Set<ClassLoader> loaders = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * @param types all loaded ones
   */
  KnownTypes(Class<?>... types) {
    for (Class<?> type : types) {
      if (CustomStageScope.canHaveStages(type)) {
        loaded.add(type.getName());
        loaders.add(type.getClassLoader());
      }
    }
  }

  /**
   * @param name with a dot or a {@code $} before a nested type
   */
  @Override
  public boolean test(String name) {
    List<String> candidates = candidates(name);
    for (String candidate : candidates) {
      if (loaded.contains(candidate)) {
        found.add(name);
        return true;
      }
    }
    boolean isUnknown = false;
    for (String candidate : candidates) {
      Boolean loadable = canBeLoadedOrNull(candidate.replace('.', '/') + ".class");
      if (loadable == null) {
        isUnknown = true;
      } else if (loadable) {
        found.add(name);
        return true;
      }
    }
    return isUnknown;
  }

  /** Returns those of the tested names that certainly exist. */
  Set<String> found() {
    return found;
  }

  /** Returns all possible JVM names of a type that is written with dots. */
  private static List<String> candidates(String name) {
    List<String> candidates = new ArrayList<>();
    String candidate = name.replace('$', '.');
    candidates.add(candidate);
    for (int dot = candidate.lastIndexOf('.'); dot >= 0; dot = candidate.lastIndexOf('.')) {
      candidate = candidate.substring(0, dot) + "$" + candidate.substring(dot + 1);
      candidates.add(candidate);
    }
    return candidates;
  }

  /** Returns null if no loader has it and one failed. */
  private Boolean canBeLoadedOrNull(String classFile) {
    Boolean loadable = false;
    for (ClassLoader loader : loaders) {
      try {
        if (loader.getResource(classFile) != null) {
          return true;
        }
      } catch (OutOfMemoryError | ThreadDeath notOfTheLoader) {
        throw notOfTheLoader;
      } catch (Throwable ofTheLoader) {
        loadable = null;
      }
    }
    return loadable;
  }
}
