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
 * Puts our stages into the few classes that have them, when these are transformed <em>again</em>.
 * On the thread that loads a class it only looks into a set, and tells that such a class has come:
 * nobody of Fedora's ever waits for the weaver, and what the weaver makes of a class is checked by
 * the JVM before it takes the place of a class that works.
 *
 * <p>Whatever fails, the class stays as it is. Any thread.
 */
final class StageTransformer implements ClassFileTransformer {

  /** Hears of classes that are being loaded, on the thread that loads them. */
  interface ClassLoadListener {
    /** A class of the plan. */
    void classLoading(ClassLoader loader, String className);

    /** Another class; only told where the plan is open. Called very often. */
    void otherClassLoading();
  }

  private static final Object ASPECTS_HIDDEN = new Object();

  private final WeavingPlan plan;
  private final WeavingReport report;
  private final ClassLoadListener listener;

  /** Loaders map to {@link #ASPECTS_HIDDEN} or to their weaver, which holds them weakly. */
  private final Map<ClassLoader, Object> weavers = new WeakHashMap<>();

  /** Likewise, without the user's stages; guarded by {@link #weavers}. */
  private final Map<ClassLoader, Object> weaversWithoutCustom = new WeakHashMap<>();

  /** Besides the plan's, those that may have a place for a stage of the user's. */
  private final Set<Class<?>> chosen =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Set<Class<?>> withoutCustom =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** What has come of weaving a class the last time, until that is taken. */
  private final Map<Class<?>, WeavingAttempt> attempts =
      Collections.synchronizedMap(new WeakHashMap<Class<?>, WeavingAttempt>());

  /** Classes that the JVM does not take woven. */
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

  /** What has come of the last attempt at this class; null if the weaver had nothing to do. */
  WeavingAttempt removeAttemptOrNull(Class<?> type) {
    return attempts.remove(type);
  }

  String failureOrNull(Class<?> type) {
    WeavingAttempt attempt = attempts.get(type);
    return attempt == null ? null : attempt.failureOrNull();
  }

  /**
   * The user's stages that have a place in this class, found by weaving its class file for nothing.
   *
   * @return the names of their aspects; null where it cannot be found out
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
      // Said when the class itself is woven.
      return null;
    }
  }

  /** Weave this class, too, when it is transformed; true if that is new. */
  boolean choose(Class<?> type) {
    return chosen.add(type);
  }

  boolean isChosen(Class<?> type) {
    return chosen.contains(type);
  }

  /** Weave this class without the user's stages from now on; false if that changes nothing. */
  boolean excludeCustom(Class<?> type) {
    return plan.isOpen() && withoutCustom.add(type);
  }

  /** The JVM does not take this class woven: leave it alone from now on. */
  void exclude(Class<?> type) {
    excluded.add(type);
  }

  /** Whether some class stayed as it was for want of memory, since weavers were last forgotten. */
  boolean isShortOfMemory() {
    return shortOfMemory;
  }

  /** Lets the weavers go, each with about a megabyte; what comes later gets a new one. */
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
      // Holding no lock of ours: this asks the class loader, which has locks of its own.
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
