package org.fedometer.agent.core.weave;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.aspects.recorder.Recorder;

/**
 * Weaves our stages into the few classes that have them; called by the JVM for every class that is
 * loaded, on the thread that loads it.
 *
 * <p>All other classes cost one look into a set. A class loader gets a weaver when the first such
 * class comes from it, if it can see the aspects at all. Whatever fails, the class is loaded as it
 * is.
 */
public final class StageTransformer implements ClassFileTransformer {

  private static final Object CANNOT_SEE_US = new Object();

  private final WeavingPlan plan;
  private final WeavingReport report;

  /** Loaders map to {@link #CANNOT_SEE_US} or to their weaver, which holds them weakly. */
  private final Map<ClassLoader, Object> weavers = new WeakHashMap<>();

  private long lastUseNanos;

  public StageTransformer(WeavingPlan plan, AgentLog log) {
    this.plan = plan;
    this.report = new WeavingReport(plan.stageByAspect(), log);
  }

  /** What was woven so far. */
  public WeavingReport report() {
    return report;
  }

  @Override
  public byte[] transform(
      ClassLoader loader,
      String internalName,
      Class<?> loaded,
      ProtectionDomain domain,
      byte[] bytecode) {
    if (loader == null || internalName == null || !plan.concerns(internalName)) {
      return null;
    }
    try {
      LoaderWeaver weaver = weaverOf(loader);
      if (weaver == null) {
        return null;
      }
      report.seen(internalName);
      byte[] woven = weaver.weave(internalName, bytecode);
      return woven == bytecode ? null : woven;
    } catch (Throwable e) {
      report.complaint("cannot weave " + internalName.replace('/', '.') + ": " + e);
      return null;
    }
  }

  /**
   * Lets weavers go that have had nothing to do for that long, each with about a megabyte. A class
   * that comes later gets a new one. Called by the drainer.
   */
  public void forgetIdleWeavers(long idleMillis) {
    synchronized (weavers) {
      if (System.nanoTime() - lastUseNanos > TimeUnit.MILLISECONDS.toNanos(idleMillis)) {
        weavers.clear();
      }
    }
  }

  private LoaderWeaver weaverOf(ClassLoader loader) {
    Object known = known(loader);
    if (known == null) {
      // Holding no lock of ours: this asks the class loader, which has locks of its own.
      Object made = seesUs(loader) ? new LoaderWeaver(loader, plan, report) : CANNOT_SEE_US;
      if (made == CANNOT_SEE_US) {
        report.complaint(
            "classes of a " + loader.getClass().getName() + " cannot see the aspects, left alone");
      }
      synchronized (weavers) {
        known = weavers.get(loader);
        if (known == null) {
          weavers.put(loader, made);
          known = made;
        }
      }
    }
    return known instanceof LoaderWeaver ? (LoaderWeaver) known : null;
  }

  private Object known(ClassLoader loader) {
    synchronized (weavers) {
      lastUseNanos = System.nanoTime();
      return weavers.get(loader);
    }
  }

  private static boolean seesUs(ClassLoader loader) {
    try {
      return Class.forName(Recorder.class.getName(), false, loader) == Recorder.class;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
