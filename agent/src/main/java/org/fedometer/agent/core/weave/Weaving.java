package org.fedometer.agent.core.weave;

import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.agent.core.threads.DaemonThreads;
import org.fedometer.wire.FailureText;

/**
 * The stages in Fedora's classes, from {@link #begin} to {@link #end}.
 *
 * <p>An agent thread weaves classes by transforming them again. As soon as a class loader has one
 * class of the plan, all of them are loaded and woven in one batch: the JVM may discard compiled
 * code at each. So the stages exist before the first request. They are the same after a start with
 * the agent, an attach, and a new deployment of the web application.
 *
 * <p>One thread calls {@link #begin} and {@link #end}, one after the other; any thread calls the
 * rest.
 */
public final class Weaving implements Runnable {

  private static final String TOMCAT = "org.apache.catalina.";
  private static final int MAX_ERROR_LINES = 20;
  private static final long ERROR_PAUSE_NANOS = 1_000_000_000;
  private static final long MAX_ERROR_PAUSE_NANOS = 60 * ERROR_PAUSE_NANOS;
  private static final int PENDING_LOADERS_LIMIT = 1_000;

  /**
   * Limit of classes that match one custom stage only by its patterns; each is transformed, even
   * for one method.
   */
  static final int CHOSEN_LIMIT = 500;

  private static final long SEARCH_PAUSE_NANOS = 1_000_000_000;

  /**
   * Limits the scanning of all classes to some per cent of one core, except for requested scans.
   */
  private static final int SEARCH_PAUSE_FACTOR = 20;

  /** A class is announced before it is defined; a search in between does not find it. */
  private static final long DEFINITION_NANOS = 5_000_000_000L;

  private final Instrumentation instrumentation;
  private final WeavingPlan plan;
  private final AgentLog log;
  private final WeavingReport report;
  private final StageTransformer transformer;

  /** Guarded by this. */
  private final LockWaits lockWaits;

  private boolean lockWaitsDisabled;

  private final Queue<WeakReference<ClassLoader>> pendingLoaders = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pendingLoaderCount = new AtomicInteger();
  private final Thread thread = DaemonThreads.daemon("fedometer-weaver", this);
  private volatile boolean tomcatSeen;
  private volatile boolean classesSeen;

  /** True if new classes have not been checked against the user's patterns. */
  private volatile boolean otherClassesLoaded;

  /** Time of the last announcement. */
  private volatile long lastClassLoadNanos = System.nanoTime();

  private volatile boolean ended;

  /** Counted down when the classes loaded at the beginning are woven. */
  private final CountDownLatch firstRound = new CountDownLatch(1);

  /** Counted down and removed when the classes loaded before them are woven. */
  private final Queue<CountDownLatch> waiting = new ConcurrentLinkedQueue<>();

  // Weaver's thread only.
  private int errorCount;

  /** Number of classes chosen for a custom stage, by its aspect. */
  private final Map<String, Integer> chosen = new HashMap<>();

  /** Names in custom pointcuts that are types of Fedora. */
  private final Set<String> typesKnown = new HashSet<>();

  private long nextSearchNanos = System.nanoTime();

  /** Duration of the last search's trial weavings, which no later search repeats. */
  private long trialNanos;

  private long errorPauseNanos = ERROR_PAUSE_NANOS;

  /** Places already logged: custom patterns may match hundreds. */
  private List<String> loggedPlaces = Collections.emptyList();

  /** Loaders with classes not woven yet; kept if an attempt fails. */
  private final Set<ClassLoader> unwoven = Collections.newSetFromMap(new WeakHashMap<>());

  /** All classes that were transformed, woven or not; guarded by this. */
  private final Set<Class<?>> transformed = Collections.newSetFromMap(new WeakHashMap<>());

  /** Classes to skip: no match, past the limit, or broken; guarded by this. */
  private final Set<Class<?>> excludedFromSearch = Collections.newSetFromMap(new WeakHashMap<>());

  /** Classes that were transformed, or whose attempt has an unknown result; guarded by this. */
  private final Set<Class<?>> toRestore = Collections.newSetFromMap(new WeakHashMap<>());

  public Weaving(Instrumentation instrumentation, WeavingPlan plan, AgentLog log) {
    this.instrumentation = instrumentation;
    this.plan = plan;
    this.log = log;
    this.report = new WeavingReport(plan, log);
    this.lockWaits = new LockWaits(plan.stages());
    this.transformer = new StageTransformer(plan, report, new LoadListener());
    this.otherClassesLoaded = plan.isOpen();
  }

  /**
   * Weaves the loaded classes, and from then on new ones.
   *
   * @param timeoutMillis wait for the loaded ones: loading their classes may have to wait for
   *     Fedora
   * @return true if they are woven; otherwise weaving continues
   */
  public boolean begin(long timeoutMillis) throws InterruptedException {
    instrumentation.addTransformer(transformer, true);
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (plan.targets().contains(loaded.getName()) && loaded.getClassLoader() != null) {
        classLoading(loaded.getClassLoader(), loaded.getName());
      }
    }
    thread.start();
    return firstRound.await(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Weaves the loaded classes at once, without the usual pause before scanning for custom patterns.
   * Any thread.
   *
   * @param timeoutMillis as for {@link #begin}
   * @return true if they are woven; otherwise weaving continues
   */
  public boolean weaveLoaded(long timeoutMillis) throws InterruptedException {
    CountDownLatch caughtUp = new CountDownLatch(1);
    waiting.add(caughtUp);
    LockSupport.unpark(thread);
    return !ended && caughtUp.await(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Restores every class's original bytecode.
   *
   * @param timeoutMillis wait for a weaving in progress: it loads classes, which may have to wait
   *     for Fedora
   * @return one sentence for each class that failed: its stages report to a recorder that is off
   * @throws IllegalStateException with one sentence after the timeout; can be called again
   */
  public List<String> end(long timeoutMillis) throws InterruptedException {
    ended = true;
    LockSupport.unpark(thread);
    thread.join(timeoutMillis);
    if (thread.isAlive()) {
      throw new IllegalStateException(
          "weaving stopped: one of Fedora's class loaders has not answered for "
              + timeoutMillis
              + " ms; classes woven so far stay woven; try again later");
    }
    instrumentation.removeTransformer(transformer);
    List<String> failures = new ArrayList<>();
    synchronized (this) {
      lockWaits.disable();
      transformAgain(
          toRestore,
          (type, refusal) -> {
            if (refusal != null) {
              failures.add(
                  type.getName() + " cannot be restored: " + FailureText.inOneLine(refusal));
            }
          });
      toRestore.clear();
    }
    return failures;
  }

  public WeavingPlan plan() {
    return plan;
  }

  /** Returns whether {@link #end} was called: nothing more is woven. */
  public boolean isEnding() {
    return ended;
  }

  public WeavingReport report() {
    return report;
  }

  /** Returns whether this JVM runs Tomcat, with its own shutdown hook. */
  public boolean hasSeenTomcat() {
    return tomcatSeen;
  }

  public boolean hasSeenClasses() {
    return classesSeen;
  }

  /** Called on Fedora's threads: never waits. */
  private void classLoading(ClassLoader loader, String className) {
    classesSeen = true;
    noteTomcat(className);
    // A fault in Fedora that creates loaders endlessly must not fill memory.
    if (pendingLoaderCount.incrementAndGet() <= PENDING_LOADERS_LIMIT) {
      pendingLoaders.add(new WeakReference<>(loader));
      LockSupport.unpark(thread);
    } else {
      pendingLoaderCount.decrementAndGet();
    }
  }

  /** Called on Fedora's threads: never waits. */
  private final class LoadListener implements StageTransformer.ClassLoadListener {
    @Override
    public void classLoading(ClassLoader loader, String className) {
      Weaving.this.classLoading(loader, className);
      otherClassLoading();
    }

    @Override
    public void otherClassLoading() {
      if (plan.isOpen()) {
        lastClassLoadNanos = System.nanoTime();
        if (!otherClassesLoaded) {
          otherClassesLoaded = true;
          LockSupport.unpark(thread);
        }
      }
    }
  }

  private void noteTomcat(String className) {
    if (className.startsWith(TOMCAT)) {
      tomcatSeen = true;
    }
  }

  @Override
  public void run() {
    while (!ended) {
      try {
        weavePending();
      } catch (Throwable outOfMemory) {
        // Even error handling needs memory.
        pauseAfterError();
      }
    }
  }

  private void weavePending() {
    boolean searches = false;
    try {
      // First: classes loaded later do not concern these waiters.
      List<CountDownLatch> waiters = new ArrayList<>(waiting);
      drainPendingLoaders();
      searches =
          otherClassesLoaded && (!waiters.isEmpty() || System.nanoTime() - nextSearchNanos >= 0);
      if (!unwoven.isEmpty() || searches) {
        weaveIn(unwoven, searches);
        unwoven.clear();
        errorPauseNanos = ERROR_PAUSE_NANOS;
      } else if (waiters.isEmpty()) {
        firstRound.countDown();
        if (otherClassesLoaded) {
          LockSupport.parkNanos(this, nextSearchNanos - System.nanoTime());
        } else {
          LockSupport.park(this);
        }
      }
      waiters.forEach(CountDownLatch::countDown);
      waiting.removeAll(waiters);
    } catch (Throwable error) {
      if (searches) {
        // Its results may not be woven: search again after the pause.
        otherClassesLoaded = true;
        nextSearchNanos = System.nanoTime();
      }
      errorCount++;
      if (errorCount <= MAX_ERROR_LINES) {
        log.appendError("weaver", error);
      }
      pauseAfterError();
    }
  }

  /** Pauses longer each time: an attempt needs memory, which may be low for long. */
  private void pauseAfterError() {
    long beganNanos = System.nanoTime();
    long leftNanos = errorPauseNanos;
    errorPauseNanos = Math.min(MAX_ERROR_PAUSE_NANOS, 2 * errorPauseNanos);
    while (!ended && leftNanos > 0) {
      LockSupport.parkNanos(this, leftNanos);
      leftNanos -= System.nanoTime() - beganNanos;
      beganNanos = System.nanoTime();
    }
  }

  private void drainPendingLoaders() {
    // Removed only after it was added to the other set: memory may be low.
    for (WeakReference<ClassLoader> next = pendingLoaders.peek();
        next != null;
        next = pendingLoaders.peek()) {
      ClassLoader loader = next.get();
      if (loader != null) {
        unwoven.add(loader);
      }
      pendingLoaders.poll();
      pendingLoaderCount.decrementAndGet();
    }
  }

  private synchronized void weaveIn(Set<ClassLoader> loaders, boolean searches) {
    Set<Class<?>> batch = new LinkedHashSet<>();
    if (searches) {
      batch.addAll(search());
    }
    for (ClassLoader loader : loaders) {
      for (String target : plan.targets()) {
        Class<?> type = loadedBy(loader, target);
        if (type != null && !transformed.contains(type)) {
          batch.add(type);
        }
      }
    }
    // Loading may have exceeded the timeout of the end.
    if (ended) {
      return;
    }
    if (batch.isEmpty()) {
      // The search may have created some.
      transformer.forgetWeavers();
      // Memory may have run out between a weaving and this.
      if (lockWaitsDisabled) {
        enableLockWaits();
      }
      return;
    }
    // Before the next step, which may fail with only some of them woven.
    toRestore.addAll(batch);
    // A wait's start may be woven before its end, or without it.
    lockWaitsDisabled = true;
    lockWaits.disable();
    try {
      transformAgain(batch, this::transformed);
    } finally {
      transformer.forgetWeavers();
    }
    enableLockWaits();
    List<String> places = report.places();
    for (String line : places) {
      if (!loggedPlaces.contains(line)) {
        log.append(line);
      }
    }
    loggedPlaces = places;
    log.append(report.summary());
  }

  private void enableLockWaits() {
    report.setRecordedWaits(lockWaits.enableComplete());
    lockWaitsDisabled = false;
  }

  /** Returns loaded classes that may match a custom stage and are not woven yet. */
  private List<Class<?>> search() {
    long beganNanos = System.nanoTime();
    trialNanos = 0;
    // First: another class may arrive right after lastClassLoadNanos is read.
    otherClassesLoaded = false;
    if (beganNanos - lastClassLoadNanos < DEFINITION_NANOS) {
      otherClassesLoaded = true;
    }
    List<Class<?>> found = new ArrayList<>();
    try (LoadedTypes loaded = new LoadedTypes(instrumentation.getAllLoadedClasses())) {
      for (Class<?> type : loaded.all()) {
        if (ended) {
          return found;
        }
        TypeFacts facts = loaded.factsOf(type);
        Set<String> possible = possibleCustomAspects(type, facts);
        if (!possible.isEmpty()) {
          // Chosen by an earlier attempt that failed.
          if (transformer.isChosen(type) || mayChoose(type, facts, possible)) {
            found.add(type);
          } else {
            excludedFromSearch.add(type);
          }
        }
      }
      noteMissingTypes(loaded);
    } finally {
      long now = System.nanoTime();
      // A requested scan does not postpone a due one.
      if (now - nextSearchNanos >= 0) {
        nextSearchNanos =
            now
                + Math.max(
                    SEARCH_PAUSE_NANOS, SEARCH_PAUSE_FACTOR * (now - beganNanos - trialNanos));
      }
    }
    return found;
  }

  private void noteMissingTypes(LoadedTypes loaded) {
    List<PlannedStage> withoutPlace = report.customWithoutPlace();
    if (withoutPlace.isEmpty()) {
      return;
    }
    if (!isFedoraAmong(loaded)) {
      // The loader that knows Fedora's types may come later.
      return;
    }
    KnownTypes known = new KnownTypes(loaded.all());
    for (PlannedStage stage : withoutPlace) {
      Set<String> missing =
          stage
              .customPointcutOrNull()
              .missingTypes(name -> typesKnown.contains(name) || known.test(name));
      report.missingTypes(stage.aspect(), missing);
    }
    typesKnown.addAll(known.found());
  }

  private boolean isFedoraAmong(LoadedTypes loaded) {
    for (Class<?> type : loaded.all()) {
      if (plan.targets().contains(type.getName()) && report.isFedoras(type.getName())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Chooses a class that matches a custom stage below its limit. If its class file is unreadable,
   * it counts for each stage that may match.
   *
   * @param possible aspects of the stages that may match
   */
  private boolean mayChoose(Class<?> type, TypeFacts facts, Set<String> possible) {
    if (report.haveTooMany(possible)) {
      return false;
    }
    long beganNanos = System.nanoTime();
    Set<String> aspects = transformer.customAspectsInOrNull(type, facts);
    trialNanos += System.nanoTime() - beganNanos;
    if (aspects == null) {
      aspects = possible;
    }
    boolean isBelowLimit = false;
    for (String aspect : aspects) {
      isBelowLimit |= chosen.getOrDefault(aspect, 0) < CHOSEN_LIMIT;
    }
    if (!isBelowLimit) {
      report.tooMany(aspects, CHOSEN_LIMIT);
      return false;
    }
    transformer.choose(type);
    for (String aspect : aspects) {
      chosen.merge(aspect, 1, Integer::sum);
    }
    return true;
  }

  /**
   * Finds the aspects of custom stages that may match a class not woven yet. Runs code of the
   * class's loader, which may throw anything: that class is then skipped.
   */
  private Set<String> possibleCustomAspects(Class<?> type, TypeFacts facts) {
    if (transformed.contains(type)
        || excludedFromSearch.contains(type)
        || plan.targets().contains(type.getName())) {
      return Collections.emptySet();
    }
    try {
      if (!CustomStageScope.canHaveStages(type)) {
        return Collections.emptySet();
      }
      Set<String> possible = plan.possibleCustomAspects(facts);
      if (!possible.isEmpty() && !instrumentation.isModifiableClass(type)) {
        possible = Collections.emptySet();
      }
      if (possible.isEmpty() && facts.isRead()) {
        excludedFromSearch.add(type);
      }
      return possible;
    } catch (OutOfMemoryError | ThreadDeath notOfTheClass) {
      throw notOfTheClass;
    } catch (Throwable ofTheClass) {
      excludedFromSearch.add(type);
      report.customFailed(
          TypeFacts.of(type), "cannot be searched: " + FailureText.inOneLine(ofTheClass));
      return Collections.emptySet();
    }
  }

  private void transformed(Class<?> type, Throwable refusal) {
    if (refusal instanceof OutOfMemoryError) {
      throw (OutOfMemoryError) refusal;
    }
    WeavingAttempt attempt = transformer.removeAttemptOrNull(type);
    if (attempt == null && transformer.isShortOfMemory()) {
      throw new OutOfMemoryError("no memory to weave " + type.getName());
    }
    if (attempt != null) {
      attempt.complaints().forEach(report::complaint);
    }
    if (refusal != null) {
      transformer.exclude(type);
      report.failed(TypeFacts.of(type), rejectedByJvm(refusal));
      toRestore.remove(type);
      return;
    }
    transformed.add(type);
    if (attempt == null) {
      report.seen(type.getName());
    } else if (attempt.failureOrNull() != null) {
      report.failed(TypeFacts.of(type), attempt.failureOrNull());
    } else {
      report.woven(type.getName(), attempt.scan());
      lockWaits.woven(type.getClassLoader(), attempt.scan());
    }
  }

  /** Loads the class, as Fedora will sooner or later, without running its initializers. */
  private Class<?> loadedBy(ClassLoader loader, String className) {
    try {
      Class<?> type = Class.forName(className, false, loader);
      return type.getClassLoader() != null && instrumentation.isModifiableClass(type) ? type : null;
    } catch (ClassNotFoundException notInThisFedora) {
      return null;
    } catch (OutOfMemoryError later) {
      throw later;
    } catch (Throwable cannotBeLoaded) {
      report.failed(
          TypeFacts.ofName(className),
          "cannot be loaded: " + FailureText.inOneLine(cannotBeLoaded));
      return null;
    }
  }

  private interface Outcome {
    void accept(Class<?> type, Throwable rejectionOrNull);
  }

  /**
   * Transforms all at once. If the JVM rejects that, transforms them one by one to find the cause;
   * retries each class in which the weaver failed.
   */
  private void transformAgain(Collection<Class<?>> types, Outcome outcome) {
    Class<?>[] batch = types.toArray(new Class<?>[0]);
    Throwable refusal = transformAgain(batch);
    for (Class<?> type : batch) {
      boolean done = refusal == null && transformer.failureOrNull(type) == null;
      outcome.accept(type, done ? null : transformAlone(type));
    }
  }

  /** Retries without custom stages if one may have caused the rejection or failure. */
  private Throwable transformAlone(Class<?> type) {
    Throwable refusal = transformAgain(type);
    if (refusal instanceof OutOfMemoryError) {
      return refusal;
    }
    String failure = refusal == null ? transformer.failureOrNull(type) : rejectedByJvm(refusal);
    if (failure != null && !ended && transformer.excludeCustom(type)) {
      report.customFailed(TypeFacts.of(type), failure);
      refusal = transformAgain(type);
    }
    return refusal;
  }

  private static String rejectedByJvm(Throwable refusal) {
    return "the JVM rejects its woven bytecode: " + FailureText.inOneLine(refusal);
  }

  private Throwable transformAgain(Class<?>... batch) {
    try {
      if (batch.length > 0) {
        for (Class<?> type : batch) {
          link(type);
        }
        instrumentation.retransformClasses(batch);
      }
      return null;
    } catch (Throwable refused) {
      return refused;
    }
  }

  /**
   * Links a class before its bytecode is copied for the transformers; retransformation links it
   * anyway. Up to Java 24 the JVM returns broken bytecode of a class that another thread is linking
   * (JDK-8277444). Does not initialize it. Waits for a thread that links the class, not for one
   * that runs its initializers.
   */
  private static void link(Class<?> type) {
    try {
      // Links on HotSpot; loads only the types of public fields.
      type.getFields();
    } catch (OutOfMemoryError later) {
      throw later;
    } catch (Throwable cannotBeLinked) {
      // The JVM reports it again when the class is transformed.
    }
  }
}
