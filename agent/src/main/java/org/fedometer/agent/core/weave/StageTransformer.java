package org.fedometer.agent.core.weave;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.wire.FailureText;

/**
 * Weaves stages into the classes of the plan when they are transformed <em>again</em>. On a
 * class-loading thread it only checks a set and notifies the listener, so Fedora's threads never
 * wait for the weaver. The JVM verifies a woven class before it replaces the working one.
 *
 * <p>On any failure, the class stays unchanged. Any thread.
 */
final class StageTransformer implements ClassFileTransformer {

  /** Listener for class loading, called on the loading thread. */
  interface ClassLoadListener {
    /** Called for a class of the plan. */
    void classLoading(ClassLoader loader, String className);

    /** Called for any other class if the plan is open. Very frequent. */
    void otherClassLoading();
  }

  private static final Object ASPECTS_HIDDEN = new Object();

  private final WeavingPlan plan;
  private final WeavingReport report;
  private final ClassLoadListener listener;

  /** Loaders map to {@link #ASPECTS_HIDDEN} or to their weaver, which holds them weakly. */
  private final Map<ClassLoader, Object> weavers = new WeakHashMap<>();

  /** Weavers without the custom stages; guarded by {@link #weavers}. */
  private final Map<ClassLoader, Object> weaversWithoutCustom = new WeakHashMap<>();

  /** Classes beyond the plan's that may match a custom stage. */
  private final Set<Class<?>> chosen =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Set<Class<?>> withoutCustom =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Results of the last weaving per class, until removed. */
  private final Map<Class<?>, WeavingAttempt> attempts =
      Collections.synchronizedMap(new WeakHashMap<Class<?>, WeavingAttempt>());

  /** Classes that the JVM rejects when woven. */
  private final Set<Class<?>> excluded =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private volatile boolean shortOfMemory;

  StageTransformer(WeavingPlan plan, WeavingReport report, ClassLoadListener listener) {
    this.plan = plan;
    this.report = report;
    this.listener = listener;
  }

  @Override
  public byte[] transform(
      ClassLoader loader,
      String internalName,
      Class<?> loaded,
      ProtectionDomain domain,
      byte[] bytecode) {
    if (loader == null || internalName == null) {
      return null;
    }
    if (!plan.concerns(internalName)) {
      if (!plan.isOpen()) {
        return null;
      }
      if (loaded == null) {
        listener.otherClassLoading();
        return null;
      }
      if (!chosen.contains(loaded)) {
        return null;
      }
    }
    try {
      String className = internalName.replace('/', '.');
      if (loaded == null) {
        listener.classLoading(loader, className);
        return null;
      }
      return excluded.contains(loaded) ? null : weave(loader, loaded, bytecode);
    } catch (OutOfMemoryError later) {
      shortOfMemory = true;
      return null;
    } catch (Throwable e) {
      report.failed(
          loaded == null ? TypeFacts.ofName(internalName.replace('/', '.')) : TypeFacts.of(loaded),
          FailureText.inOneLine(e));
      return null;
    }
  }

  private byte[] weave(ClassLoader loader, Class<?> type, byte[] bytecode) {
    attempts.remove(type);
    List<String> complaints = new ArrayList<>();
    try {
      LoaderWeaver weaver = weaverOf(loader, !withoutCustom.contains(type));
      if (weaver == null) {
        report.failed(
            TypeFacts.of(type),
            "its class loader, a " + loader.getClass().getName() + ", hides the aspects");
        return null;
      }
      byte[] woven = weaver.weave(type.getName().replace('.', '/'), bytecode, complaints::add);
      // Null for an interface without code.
      boolean isChanged = woven != null && woven != bytecode;
      if (isChanged || !complaints.isEmpty()) {
        AdviceScan scan = isChanged ? AdviceScan.of(woven) : AdviceScan.empty();
        attempts.put(type, WeavingAttempt.done(scan, complaints));
      }
      return isChanged ? woven : null;
    } catch (OutOfMemoryError later) {
      throw later;
    } catch (Throwable e) {
      attempts.put(
          type, WeavingAttempt.failed("the weaver fails: " + FailureText.inOneLine(e), complaints));
      return null;
    }
  }

  /** Removes and returns the result of the last attempt; null if there was nothing to weave. */
  WeavingAttempt removeAttemptOrNull(Class<?> type) {
    return attempts.remove(type);
  }

  String failureOrNull(Class<?> type) {
    WeavingAttempt attempt = attempts.get(type);
    return attempt == null ? null : attempt.failureOrNull();
  }

  /**
   * Finds the custom stages that match in this class, by a trial weaving of its class file.
   *
   * @return the names of their aspects; null if unknown
   */
  Set<String> customAspectsInOrNull(Class<?> type, TypeFacts facts) {
    try {
      byte[] classFileOrNull = facts.classFileOrNull();
      LoaderWeaver weaver = classFileOrNull == null ? null : weaverOf(type.getClassLoader(), true);
      if (weaver == null) {
        return null;
      }
      byte[] woven =
          weaver.weave(type.getName().replace('.', '/'), classFileOrNull, complaint -> {});
      AdviceScan scan = woven == null ? AdviceScan.empty() : AdviceScan.of(woven);
      Set<String> aspects = new LinkedHashSet<>();
      for (PlannedStage stage : plan.stages()) {
        if (stage.customPointcutOrNull() != null && !scan.callsOf(stage.aspect()).isEmpty()) {
          aspects.add(stage.aspect());
        }
      }
      return aspects;
    } catch (OutOfMemoryError | ThreadDeath notOfTheClass) {
      throw notOfTheClass;
    } catch (Throwable ofTheClass) {
      // Reported when the class itself is woven.
      return null;
    }
  }

  /** Marks this class for weaving when it is transformed; returns true if that is new. */
  boolean choose(Class<?> type) {
    return chosen.add(type);
  }

  boolean isChosen(Class<?> type) {
    return chosen.contains(type);
  }

  /** Excludes custom stages from this class from now on; returns false if that changes nothing. */
  boolean excludeCustom(Class<?> type) {
    return plan.isOpen() && withoutCustom.add(type);
  }

  /** Excludes a class that the JVM rejects when woven. */
  void exclude(Class<?> type) {
    excluded.add(type);
  }

  /** Returns whether lack of memory left some class unwoven since weavers were last discarded. */
  boolean isShortOfMemory() {
    return shortOfMemory;
  }

  /** Discards the weavers, each of about a megabyte; later classes get new ones. */
  void forgetWeavers() {
    shortOfMemory = false;
    synchronized (weavers) {
      weavers.clear();
      weaversWithoutCustom.clear();
    }
  }

  private LoaderWeaver weaverOf(ClassLoader loader, boolean withCustom) {
    Map<ClassLoader, Object> cache = withCustom ? weavers : weaversWithoutCustom;
    Object known;
    synchronized (weavers) {
      known = cache.get(loader);
    }
    if (known == null) {
      // Without holding a lock: this calls the class loader, which has its own locks.
      Object made =
          seesAspects(loader)
              ? new LoaderWeaver(
                  loader,
                  withCustom ? plan.definition() : plan.definitionWithoutCustom(),
                  report::complaint)
              : ASPECTS_HIDDEN;
      synchronized (weavers) {
        known = cache.get(loader);
        if (known == null) {
          cache.put(loader, made);
          known = made;
        }
      }
    }
    return known instanceof LoaderWeaver ? (LoaderWeaver) known : null;
  }

  private static boolean seesAspects(ClassLoader loader) {
    try {
      return Class.forName(Recorder.class.getName(), false, loader) == Recorder.class;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
