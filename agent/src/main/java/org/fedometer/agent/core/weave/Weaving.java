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
import org.fedometer.agent.core.threads.OwnThreads;
import org.fedometer.wire.FailureText;

/**
 * Our stages in Fedora's classes, from {@link #begin} to {@link #end}.
 *
 * <p>Classes are woven on a thread of our own, by transforming them again. As soon as a class
 * loader has one class of the plan, it is asked for all of them, and they are woven in one batch:
 * the JVM may throw compiled code away at each. So the stages are there before the first request,
 * and the same after a start with the agent, an attach, and a new deployment of the webapp.
 *
 * <p>{@link #begin} and {@link #end} are called by one thread, one after the other; the rest by
 * any.
 */
public final class Weaving implements Runnable {

  private static final String TOMCAT = "org.apache.catalina.";
  private static final int TROUBLE_LINES = 20;
  private static final long TROUBLE_NANOS = 1_000_000_000;
  private static final long LONGEST_TROUBLE_NANOS = 60 * TROUBLE_NANOS;
  private static final int ARRIVALS_LIMIT = 1_000;

  /**
   * Of classes with a place for one stage of the user's that only its patterns name; each is
   * transformed, be it for one method.
   */
  static final int CHOSEN_LIMIT = 500;

  private static final long SEARCH_PAUSE_NANOS = 1_000_000_000;

  /**
   * So looking through all classes takes some per cent of one core at most, but for looks that
   * somebody asks for.
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

  private boolean waitsOff;

  private final Queue<WeakReference<ClassLoader>> arrivals = new ConcurrentLinkedQueue<>();
  private final AtomicInteger arrivalsWaiting = new AtomicInteger();
  private final Thread thread = OwnThreads.daemon("fedometer-weaver", this);
  private volatile boolean tomcatSeen;
  private volatile boolean classesSeen;

  /** Classes have come that nobody has held against the user's patterns. */
  private volatile boolean othersCame;

  /** When the last of them was announced. */
  private volatile long lastCameNanos = System.nanoTime();

  private volatile boolean ended;

  /** Counted down when what was loaded at the beginning is woven. */
  private final CountDownLatch firstRound = new CountDownLatch(1);

  /** Counted down, and taken out, when what was loaded when they came is woven. */
  private final Queue<CountDownLatch> waiting = new ConcurrentLinkedQueue<>();

  // The weaver's thread alone.
  private int troubles;

  /** How many classes were chosen for a stage of the user's, by its aspect. */
  private final Map<String, Integer> chosen = new HashMap<>();

  /** Names in pointcuts of the user's that stand for types of Fedora's. */
  private final Set<String> typesKnown = new HashSet<>();

  private long searchDueNanos = System.nanoTime();

  /** How long the latest search has woven classes for nothing, which no later search repeats. */
  private long triedNanos;

  private long troubleNanos = TROUBLE_NANOS;

  /** What the log has of the batch before: with a user's patterns there may be hundreds. */
  private List<String> placesTold = Collections.emptyList();

  /** Loaders with classes that are not woven yet; they stay here when an attempt fails. */
  private final Set<ClassLoader> unwoven = Collections.newSetFromMap(new WeakHashMap<>());

  /** All that were transformed, woven or not; guarded by this. */
  private final Set<Class<?>> transformed = Collections.newSetFromMap(new WeakHashMap<>());

  /** Not to be looked into again: without a place, past the limit, or broken; guarded by this. */
  private final Set<Class<?>> settled = Collections.newSetFromMap(new WeakHashMap<>());

  /** Transformed, and those of which it is not known how far an attempt came; guarded by this. */
  private final Set<Class<?>> toRestore = Collections.newSetFromMap(new WeakHashMap<>());

  public Weaving(Instrumentation instrumentation, WeavingPlan plan, AgentLog log) {
    this.instrumentation = instrumentation;
    this.plan = plan;
    this.log = log;
    this.report = new WeavingReport(plan, log);
    this.lockWaits = new LockWaits(plan.stages());
    this.transformer = new StageTransformer(plan, report, new Arriving());
    this.othersCame = plan.isOpen();
  }

  /**
   * Weaves what is loaded, and from then on what comes.
   *
   * @param patienceMillis how long to wait for the former: classes are loaded for it, for which it
   *     may have to wait for Fedora
   * @return whether it is done; if not, it goes on
   */
  public boolean begin(long patienceMillis) throws InterruptedException {
    instrumentation.addTransformer(transformer, true);
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (plan.targets().contains(loaded.getName()) && loaded.getClassLoader() != null) {
        arriving(loaded.getClassLoader(), loaded.getName());
      }
    }
    thread.start();
    return firstRound.await(patienceMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Has what is loaded by now woven at once: a class that only a pattern of the user's finds would
   * be looked at after a pause. By any thread.
   *
   * @param patienceMillis as for {@link #begin}
   * @return whether it is done; if not, it goes on
   */
  public boolean catchUp(long patienceMillis) throws InterruptedException {
    CountDownLatch caughtUp = new CountDownLatch(1);
    waiting.add(caughtUp);
    LockSupport.unpark(thread);
    return !ended && caughtUp.await(patienceMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Gives every class its original bytecode back.
   *
   * @param patienceMillis how long to wait for a weaving that is under way: it loads classes, for
   *     which it may have to wait for Fedora
   * @return one sentence for each class where that failed: its stages report to a recorder that is
   *     off
   * @throws IllegalStateException with one sentence when that took longer; can be called again
   */
  public List<String> end(long patienceMillis) throws InterruptedException {
    ended = true;
    LockSupport.unpark(thread);
    thread.join(patienceMillis);
    if (thread.isAlive()) {
      throw new IllegalStateException(
          "classes are being woven, and one of Fedora's class loaders has not answered for "
              + patienceMillis
              + " ms; nothing more is woven, but what is woven stays: try again later");
    }
    instrumentation.removeTransformer(transformer);
    List<String> failures = new ArrayList<>();
    synchronized (this) {
      lockWaits.off();
      transformAgain(
          toRestore,
          (type, refusal) -> {
            if (refusal != null) {
              failures.add(
                  type.getName() + " could not be restored: " + FailureText.inOneLine(refusal));
            }
          });
      toRestore.clear();
    }
    return failures;
  }

  public WeavingPlan plan() {
    return plan;
  }

  /** Whether {@link #end} was called: nothing more is woven, whatever comes. */
  public boolean isEnding() {
    return ended;
  }

  public WeavingReport report() {
    return report;
  }

  /** Whether Tomcat, with a shutdown of its own, runs in this JVM. */
  public boolean hasSeenTomcat() {
    return tomcatSeen;
  }

  public boolean hasSeenClasses() {
    return classesSeen;
  }

  /** On a thread of Fedora's: waits for nothing. */
  private void arriving(ClassLoader loader, String className) {
    classesSeen = true;
    noteTomcat(className);
    // A loader that brings classes without end, such as a fault in Fedora, must not fill memory.
    if (arrivalsWaiting.incrementAndGet() <= ARRIVALS_LIMIT) {
      arrivals.add(new WeakReference<>(loader));
      LockSupport.unpark(thread);
    } else {
      arrivalsWaiting.decrementAndGet();
    }
  }

  /** On threads of Fedora's: waits for nothing. */
  private final class Arriving implements StageTransformer.Arrivals {
    @Override
    public void arriving(ClassLoader loader, String className) {
      Weaving.this.arriving(loader, className);
      otherArriving();
    }

    @Override
    public void otherArriving() {
      if (plan.isOpen()) {
        lastCameNanos = System.nanoTime();
        if (!othersCame) {
          othersCame = true;
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
        weaveWhatHasCome();
      } catch (Throwable nothingLeftToSayItWith) {
        // Even what handles errors needs memory.
        pauseAfterTrouble();
      }
    }
  }

  private void weaveWhatHasCome() {
    boolean searches = false;
    try {
      // First: what comes after it was not loaded when they came.
      List<CountDownLatch> caughtUp = new ArrayList<>(waiting);
      takeArrivals();
      searches = othersCame && (!caughtUp.isEmpty() || System.nanoTime() - searchDueNanos >= 0);
      if (!unwoven.isEmpty() || searches) {
        weaveIn(unwoven, searches);
        unwoven.clear();
        troubleNanos = TROUBLE_NANOS;
      } else if (caughtUp.isEmpty()) {
        firstRound.countDown();
        if (othersCame) {
          LockSupport.parkNanos(this, searchDueNanos - System.nanoTime());
        } else {
          LockSupport.park(this);
        }
      }
      caughtUp.forEach(CountDownLatch::countDown);
      waiting.removeAll(caughtUp);
    } catch (Throwable trouble) {
      if (searches) {
        // What it has found may not be woven: after the pause it is looked for again.
        othersCame = true;
        searchDueNanos = System.nanoTime();
      }
      troubles++;
      if (troubles <= TROUBLE_LINES) {
        log.trouble("weaver", trouble);
      }
      pauseAfterTrouble();
    }
  }

  /** Each time longer: an attempt takes memory, of which there may be too little for long. */
  private void pauseAfterTrouble() {
    long beganNanos = System.nanoTime();
    long leftNanos = troubleNanos;
    troubleNanos = Math.min(LONGEST_TROUBLE_NANOS, 2 * troubleNanos);
    while (!ended && leftNanos > 0) {
      LockSupport.parkNanos(this, leftNanos);
      leftNanos -= System.nanoTime() - beganNanos;
      beganNanos = System.nanoTime();
    }
  }

  private void takeArrivals() {
    // Taken from the one only when it is in the other: memory may be short.
    for (WeakReference<ClassLoader> next = arrivals.peek(); next != null; next = arrivals.peek()) {
      ClassLoader loader = next.get();
      if (loader != null) {
        unwoven.add(loader);
      }
      arrivals.poll();
      arrivalsWaiting.decrementAndGet();
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
    // Loading may have taken so long that the end was given up.
    if (ended) {
      return;
    }
    if (batch.isEmpty()) {
      // The search may have made some.
      transformer.forgetWeavers();
      // Memory may have run out between a weaving and this.
      if (waitsOff) {
        beginWaits();
      }
      return;
    }
    // Before: what follows may fail when only some of them are woven.
    toRestore.addAll(batch);
    // A begin may be woven before its end, or without.
    waitsOff = true;
    lockWaits.off();
    try {
      transformAgain(batch, this::transformed);
    } finally {
      transformer.forgetWeavers();
    }
    beginWaits();
    List<String> places = report.places();
    for (String line : places) {
      if (!placesTold.contains(line)) {
        log.line(line);
      }
    }
    placesTold = places;
    log.line(report.summary());
  }

  private void beginWaits() {
    report.waitsEnd(lockWaits.onWhereTheyEnd());
    waitsOff = false;
  }

  /** Loaded classes that may have a place for a stage of the user's, and are not woven yet. */
  private List<Class<?>> search() {
    long beganNanos = System.nanoTime();
    triedNanos = 0;
    // First: another may come right after the look at when the last one did.
    othersCame = false;
    if (beganNanos - lastCameNanos < DEFINITION_NANOS) {
      othersCame = true;
    }
    List<Class<?>> found = new ArrayList<>();
    try (LoadedTypes loaded = new LoadedTypes(instrumentation.getAllLoadedClasses())) {
      for (Class<?> type : loaded.all()) {
        if (ended) {
          return found;
        }
        TypeFacts facts = loaded.factsOf(type);
        Set<String> possible = ownAspectsThatMayBeIn(type, facts);
        if (!possible.isEmpty()) {
          // Chosen before: by an attempt that failed.
          if (transformer.isChosen(type) || mayChoose(type, facts, possible)) {
            found.add(type);
          } else {
            settled.add(type);
          }
        }
      }
      noteMissingTypes(loaded);
    } finally {
      long now = System.nanoTime();
      // A look that was asked for puts off none that is due.
      if (now - searchDueNanos >= 0) {
        searchDueNanos =
            now
                + Math.max(
                    SEARCH_PAUSE_NANOS, SEARCH_PAUSE_FACTOR * (now - beganNanos - triedNanos));
      }
    }
    return found;
  }

  private void noteMissingTypes(LoadedTypes loaded) {
    List<PlannedStage> withoutPlace = report.ownWithoutPlace();
    if (withoutPlace.isEmpty()) {
      return;
    }
    if (!isFedoraAmong(loaded)) {
      // The loader that knows Fedora's types may be yet to come.
      return;
    }
    KnownTypes known = new KnownTypes(loaded.all());
    for (PlannedStage stage : withoutPlace) {
      Set<String> missing =
          stage
              .ownPointcutOrNull()
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
   * Has a class woven too if it has a place for a stage of the user's that is in few classes yet.
   * Where its class file does not tell, it counts for each stage that may be in it.
   *
   * @param possible aspects of the stages that may be in it
   */
  private boolean mayChoose(Class<?> type, TypeFacts facts, Set<String> possible) {
    if (report.haveTooMany(possible)) {
      return false;
    }
    long beganNanos = System.nanoTime();
    Set<String> aspects = transformer.ownAspectsInOrNull(type, facts);
    triedNanos += System.nanoTime() - beganNanos;
    if (aspects == null) {
      aspects = possible;
    }
    boolean hasRoom = false;
    for (String aspect : aspects) {
      hasRoom |= chosen.getOrDefault(aspect, 0) < CHOSEN_LIMIT;
    }
    if (!hasRoom) {
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
   * Finds the aspects of the user's stages that may be in a class that is not woven yet. Runs code
   * of the class's loader, which may throw anything: that class is left alone then.
   */
  private Set<String> ownAspectsThatMayBeIn(Class<?> type, TypeFacts facts) {
    if (transformed.contains(type)
        || settled.contains(type)
        || plan.targets().contains(type.getName())) {
      return Collections.emptySet();
    }
    try {
      if (!OwnPlaces.canHaveStages(type)) {
        return Collections.emptySet();
      }
      Set<String> possible = plan.ownAspectsThatMayBeIn(facts);
      if (!possible.isEmpty() && !instrumentation.isModifiableClass(type)) {
        possible = Collections.emptySet();
      }
      if (possible.isEmpty() && facts.isRead()) {
        settled.add(type);
      }
      return possible;
    } catch (OutOfMemoryError | ThreadDeath notOfTheClass) {
      throw notOfTheClass;
    } catch (Throwable ofTheClass) {
      settled.add(type);
      report.ownFailed(
          TypeFacts.of(type), "cannot be looked into: " + FailureText.inOneLine(ofTheClass));
      return Collections.emptySet();
    }
  }

  private void transformed(Class<?> type, Throwable refusal) {
    if (refusal instanceof OutOfMemoryError) {
      throw (OutOfMemoryError) refusal;
    }
    WeavingAttempt attempt = transformer.takeAttemptOrNull(type);
    if (attempt == null && transformer.isShortOfMemory()) {
      throw new OutOfMemoryError("no room to weave " + type.getName());
    }
    if (attempt != null) {
      attempt.complaints().forEach(report::complaint);
    }
    if (refusal != null) {
      transformer.exclude(type);
      report.failed(TypeFacts.of(type), refusedWoven(refusal));
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

  /** Loads the class, as Fedora will sooner or later, but does not run its initialisers. */
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
    void of(Class<?> type, Throwable refusalOrNull);
  }

  /**
   * All at once. If the JVM refuses that, one by one, to find whom it refuses; and once more each
   * that the weaver has failed in.
   */
  private void transformAgain(Collection<Class<?>> types, Outcome outcome) {
    Class<?>[] batch = types.toArray(new Class<?>[0]);
    Throwable refusal = transformAgain(batch);
    for (Class<?> type : batch) {
      boolean done = refusal == null && transformer.failureOrNull(type) == null;
      outcome.of(type, done ? null : transformAlone(type));
    }
  }

  /** Where a stage of the user's may be what the JVM or the weaver does not take, without these. */
  private Throwable transformAlone(Class<?> type) {
    Throwable refusal = transformAgain(type);
    if (refusal instanceof OutOfMemoryError) {
      return refusal;
    }
    String failure = refusal == null ? transformer.failureOrNull(type) : refusedWoven(refusal);
    if (failure != null && !ended && transformer.leaveOwnOut(type)) {
      report.ownFailed(TypeFacts.of(type), failure);
      refusal = transformAgain(type);
    }
    return refusal;
  }

  private static String refusedWoven(Throwable refusal) {
    return "the JVM refuses it woven: " + FailureText.inOneLine(refusal);
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
   * Links a class, as transforming it does anyway, but before its bytecode is copied for the
   * transformers: up to Java 24 the JVM hands out broken bytecode of a class that another thread is
   * linking (JDK-8277444). Does not initialise it. Waits for a thread that links the class, and not
   * for one that runs its initialisers.
   */
  private static void link(Class<?> type) {
    try {
      // Links on HotSpot; loads no more than the types of public fields.
      type.getFields();
    } catch (OutOfMemoryError later) {
      throw later;
    } catch (Throwable cannotBeLinked) {
      // The JVM says so again when the class is transformed.
    }
  }
}
