package org.fedometer.agent;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.apache.catalina.core.StandardWrapperValve;
import org.apache.catalina.startup.Catalina;
import org.apache.log4j.Category;
import org.fcrepo.server.storage.StandInReaders.FileReader;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;
import org.trippi.impl.base.ConcurrentTriplestoreWriter;

/**
 * Runs in a separate JVM with the agent: ingests on threads with Tomcat's names, and reports the
 * visible traces of the agent. Executes commands from its standard input, one per line, and replies
 * with one line each.
 */
public final class StandInFedora {

  private static final int[] SIZES = {1 << 20, 1 << 12, 16};

  private static final Logger LOGGER = new Logger("stand.in");

  private final List<URLClassLoader> deployed = new ArrayList<>();
  private final List<WeakReference<ClassLoader>> undeployed = new ArrayList<>();

  private StandInFedora() {}

  /** No arguments. */
  public static void main(String[] arguments) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Catalina().new CatalinaShutdownHook());
    run(
        List.of(
            new Thread(
                () -> new DOTranslatorImpl().deserialize("system object"),
                "localhost-startStop-1")));
    StandInFedora fedora = new StandInFedora();
    System.out.println("up");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      System.out.println(fedora.answer(line.split(" ")));
    }
  }

  private String answer(String[] words) throws Exception {
    switch (words[0]) {
      case "ingest":
        ingest(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        return "done";
      case "read":
        run(List.of(new Thread(() -> new FileReader().read(words[1]), "http-exec-0")));
        return "read";
      case "sees":
        return words[1] + " " + (isVisible(words[1]) ? "visible" : "hidden");
      case "property":
        return words[1] + "=" + System.getProperty(words[1]);
      case "beans":
        return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName(words[1]), null)
            + " are there";
      case "threads":
        TreeSet<String> names = new TreeSet<>();
        Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
        return String.join(",", names);
      case "starve":
        starve(Integer.parseInt(words[1]));
        return "fed";
      case "deploy":
        Webapp webapp = new Webapp();
        deployed.add(webapp);
        webapp.loadClass(DOTranslatorImpl.class.getName()).getConstructor().newInstance();
        return "deployed";
      case "translate":
        Class<?> type = deployed.get(0).loadClass(DOTranslatorImpl.class.getName());
        Object translator = type.getConstructor().newInstance();
        type.getMethod("deserialize", String.class).invoke(translator, "text");
        return "translated";
      case "log":
        int lines = Integer.parseInt(words[1]);
        for (int line = 0; line < lines; line++) {
          LOGGER.log(Level.WARN, "line " + line, null);
        }
        return "logged";
      case "log4j":
        new Category("old").callAppenders(new Category.LoggingEvent("as before Fedora 3.4"));
        return "logged";
      case "lose":
        try {
          new ConcurrentTriplestoreWriter(3).flushBuffer();
        } catch (IllegalStateException lost) {
          return "lost";
        }
        return "kept";
      case "collect":
        System.gc();
        return "collected";
      case "undeploy":
        URLClassLoader gone = deployed.remove(0);
        undeployed.add(new WeakReference<>(gone));
        gone.close();
        return "undeployed";
      case "collected":
        System.gc();
        return undeployed.stream().filter(loader -> loader.get() == null).count()
            + " of "
            + undeployed.size();
      default:
        return "what is " + words[0] + "?";
    }
  }

  /** Fills the heap completely for some seconds. */
  private static void starve(int seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Object[] hold = null;
    while (System.nanoTime() - end < 0) {
      for (int size : SIZES) {
        try {
          while (true) {
            Object[] next = new Object[size / 4];
            next[0] = hold;
            hold = next;
          }
        } catch (OutOfMemoryError full) {
          // On to smaller ones, and again, as others give theirs back.
        }
      }
    }
  }

  private static void ingest(int threads, int count) throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int worker = 0; worker < threads; worker++) {
      String namespace = "w" + worker;
      workers.add(new Thread(() -> ingest(namespace, count), "http-exec-" + worker));
    }
    run(workers);
  }

  private static void ingest(String namespace, int count) {
    StandardWrapperValve valve = new StandardWrapperValve();
    for (int i = 0; i < count; i++) {
      valve.invoke(
          new StandardWrapperValve.Request(
              namespace + ":" + i, "00-trace-" + namespace + "-" + i + "-01"),
          "response");
    }
    valve.invoke(new StandardWrapperValve.Request(namespace + ":bad", null), "response");
  }

  private static void run(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static boolean isVisible(String name) {
    try {
      Class.forName(name);
      return true;
    } catch (ClassNotFoundException hidden) {
      return false;
    }
  }

  /** Loads separate copies of Fedora's classes, like a web application in Tomcat. */
  private static final class Webapp extends URLClassLoader {
    Webapp() {
      super(
          new URL[] {StandInFedora.class.getProtectionDomain().getCodeSource().getLocation()},
          StandInFedora.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!name.startsWith("org.fcrepo.")) {
          return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }
}
