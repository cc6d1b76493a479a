package org.fedometer.profiles.stack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.fedometer.profiles.stack.database.DatabaseAccess;
import org.fedometer.profiles.stack.fedora.FedoraConfiguration;
import org.fedometer.profiles.stack.fedora.FedoraServer;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.java.JvmArguments;
import org.fedometer.profiles.stack.program.Command;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.XmlFile;
import org.fedometer.repair.Finding;
import org.fedometer.repair.Pipe;
import org.fedometer.repair.RepairMain;
import org.fedometer.repair.Settings;
import org.fedometer.wire.disk.Durable;
import org.w3c.dom.Element;

/**
 * Checks and repairs the repository in a stack's home, or rebuilds its indexes, while Fedora is
 * stopped. {@link RepairMain} does the work in a separate JVM, on Fedora's Java and libraries; the
 * stack's own database server runs meanwhile. Immutable; methods block the calling thread. {@link
 * Stack#stop} ends them early: an interrupt has no effect while that JVM runs.
 */
public final class HomeScan {

  /** Name of the other JVM's log in {@link Stack#logs}. */
  public static final String LOG = "repair.log";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final Stack stack;
  private final Set<String> pids;

  private HomeScan(Stack stack, Set<String> pids) {
    this.stack = stack;
    this.pids = pids;
  }

  public static HomeScan of(Stack stack) {
    return new HomeScan(stack, Set.of());
  }

  /**
   * Returns a scan of these PIDs only.
   *
   * @throws IllegalArgumentException if there are none, or one is invalid
   */
  public HomeScan only(Collection<String> wanted) {
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException(
          "no PID is given; give one, or omit the option to check all objects");
    }
    for (String pid : wanted) {
      if (!pid.matches("[A-Za-z0-9.-]+:(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+")) {
        throw new IllegalArgumentException(
            "'" + pid + "' is not a PID; a PID looks like demo:1 or patents:EP0000001");
      }
    }
    return new HomeScan(stack, new TreeSet<>(wanted));
  }

  /**
   * Finds inconsistencies without changing the repository.
   *
   * @throws ProvisioningException if Fedora runs, or its database does not come up
   * @throws IOException if the check is incomplete; names a log
   */
  public HomeFindings check(ProvisioningListener listener, Consumer<String> progress)
      throws IOException, InterruptedException, ProvisioningException {
    return stack.whileStopped(
        listener,
        (folders, document, secrets) ->
            new Child(folders, document, secrets, progress).run(null, Map.of()));
  }

  /**
   * Finds inconsistencies and repairs them. Removed data is first copied to a folder {@code
   * repair-TIME} in the home.
   *
   * @param deleteUnregistered true to remove objects that Fedora does not know, instead of
   *     registering them
   * @throws ProvisioningException if Fedora runs, or its database does not come up
   * @throws IOException if the repair is incomplete, and may be repeated; names a log
   */
  public HomeFindings repair(
      boolean deleteUnregistered, ProvisioningListener listener, Consumer<String> progress)
      throws IOException, InterruptedException, ProvisioningException {
    Path copies = stack.home().resolve("repair-" + TIME.format(Instant.now()));
    return stack.whileStopped(
        listener,
        (folders, document, secrets) ->
            new Child(folders, document, secrets, progress)
                .run(
                    copies,
                    Map.of(
                        Settings.Name.COPIES,
                        copies.toString(),
                        Settings.Name.DELETE_UNREGISTERED,
                        Boolean.toString(deleteUnregistered))));
  }

  /**
   * Rebuilds field index and triples of all objects from their files, by Fedora's code, and
   * measures it.
   *
   * @return time until the indexes had each reached number of objects on disk, in nanoseconds
   * @throws ProvisioningException if Fedora runs, or its database does not come up
   * @throws IOException if it is incomplete, and so are the indexes; see {@link #LOG}
   */
  public SortedMap<Long, Long> index(
      Collection<Long> sizes, ProvisioningListener listener, Consumer<String> progress)
      throws IOException, InterruptedException, ProvisioningException {
    SortedSet<Long> ascending = new TreeSet<>(sizes);
    String lines = ascending.stream().map(String::valueOf).collect(Collectors.joining("\n"));
    Map<String, Long> counts =
        stack
            .whileStopped(
                listener,
                (folders, document, secrets) ->
                    new Child(folders, document, secrets, progress)
                        .run(null, Map.of(Settings.Name.INDEX_SIZES, lines)))
            .counts();
    SortedMap<Long, Long> nanos = new TreeMap<>();
    for (Long size : ascending) {
      Long took = counts.get("indexed." + size);
      if (took != null) {
        nanos.put(size, took);
      }
    }
    return nanos;
  }

  /**
   * Returns the jar of classes, or their folder in a build; any characters in the name are
   * supported.
   */
  private static Path fileOf(Class<?> type) {
    return fileAt(type.getProtectionDomain().getCodeSource().getLocation());
  }

  static Path fileAt(URL location) {
    try {
      return Path.of(location.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Child implements Pipe.Listener {
    private final StackFolders folders;
    private final StackDocument document;
    private final Secrets secrets;
    private final Consumer<String> progress;
    private final Map<String, Long> counts = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private boolean done;

    Child(
        StackFolders folders, StackDocument document, Secrets secrets, Consumer<String> progress) {
      this.folders = folders;
      this.document = document;
      this.secrets = secrets;
      this.progress = progress;
    }

    HomeFindings run(Path copies, Map<Settings.Name, String> task)
        throws IOException, InterruptedException {
      Properties settings = settings(task);
      Path log = folders.logs().resolve(LOG);
      ProcessBuilder builder =
          new ProcessBuilder(command())
              .directory(folders.home().toFile())
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
      Command.removeUnwanted(builder.environment());
      builder.environment().put("FEDORA_HOME", folders.fedora().toString());
      Process process = builder.start();
      try {
        if (Thread.currentThread().isInterrupted()) {
          // A concurrent stop may have looked before this process existed.
          throw new InterruptedException();
        }
        try (Writer in =
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8)) {
          settings.store(in, null);
        } catch (IOException e) {
          // It ended without reading everything; its log has the cause.
          progress.accept("the JVM that scans the home has ended early");
        }
        try (BufferedReader out =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
          for (String line = out.readLine(); line != null; line = out.readLine()) {
            Pipe.read(line, this);
          }
        }
        int status = process.waitFor();
        if (!done || status != 0) {
          boolean indexes = task.containsKey(Settings.Name.INDEX_SIZES);
          throw new IOException(
              "%s was not completely %s%s%s"
                  .formatted(
                      folders.home(),
                      indexes ? "indexed" : "scanned",
                      notes.isEmpty() ? "" : ": " + notes.get(notes.size() - 1),
                      indexes ? "" : "; see the log " + log));
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      return new HomeFindings(
          counts,
          findings,
          notes,
          Optional.ofNullable(copies).filter(folder -> Files.exists(folder)));
    }

    private List<String> command() throws IOException {
      JvmArguments profile = new JvmArguments(document);
      List<String> arguments = new ArrayList<>();
      arguments.add(Path.of(document.plan().javaHome(), "bin/java").toString());
      // A marker by which a stop, or a start, of the stack finds this process.
      arguments.add(FedoraServer.marker(folders));
      arguments.addAll(profile.heap());
      arguments.addAll(profile.garbageCollector());
      arguments.addAll(profile.needed());
      arguments.addAll(profile.repository(folders));
      arguments.add("-Dderby.infolog.append=true");
      arguments.add("-Dfedora.hostname=127.0.0.1");
      arguments.add("-Dfedora.port=" + document.session().httpPort());
      arguments.add("-Dfedora.appServerContext=fedora");
      arguments.add("-Dlogback.configurationFile=org/fedometer/repair/logback.xml");
      arguments.add("-classpath");
      arguments.add(
          "%s:%s:%s:%s/*:%s/*"
              .formatted(
                  fileOf(RepairMain.class),
                  fileOf(Durable.class),
                  folders.webapp().resolve("WEB-INF/classes"),
                  folders.webapp().resolve("WEB-INF/lib"),
                  folders.tomcat().resolve("lib")));
      arguments.add(RepairMain.class.getName());
      return arguments;
    }

    private Properties settings(Map<Settings.Name, String> task) throws IOException {
      Properties properties = new Properties();
      Settings settings = new Settings(properties);
      DatabaseAccess database = DatabaseAccess.of(folders, document, secrets);
      settings.set(Settings.Name.DATABASE_DRIVER, database.driverClass());
      settings.set(Settings.Name.DATABASE_URL, database.fedoraUrl());
      settings.set(Settings.Name.DATABASE_USER, database.user());
      settings.set(Settings.Name.DATABASE_PASSWORD, database.password());
      settings.set(Settings.Name.INDEX_DC, document.setting("fedora.indexDCFields"));
      if (!document.setting("triplestore.store").equals("none")) {
        triplestore(settings);
      }
      settings.set(Settings.Name.STORE, document.setting("lowlevel.store"));
      lowlevelStore(settings);
      settings.set(Settings.Name.TEMPORARY, folders.tomcat().resolve("temp").toString());
      settings.set(Settings.Name.HOME, folders.home().toString());
      task.forEach(settings::set);
      if (!pids.isEmpty()) {
        settings.set(Settings.Name.PIDS, String.join("\n", pids));
      }
      return properties;
    }

    private void triplestore(Settings settings) throws IOException {
      XmlFile fcfg = XmlFile.read(folders.fedoraConfiguration().resolve("fedora.fcfg"));
      settings.set(Settings.Name.CONNECTOR, document.setting("triplestore.connectorClassName"));
      Element datastore = FedoraConfiguration.triplestore(fcfg, document);
      for (Element param : XmlFile.children(datastore, "param")) {
        String name = param.getAttribute("name");
        String value = param.getAttribute("value");
        settings.setTriplestore(
            name, name.equals("path") ? folders.fedora().resolve(value).toString() : value);
      }
    }

    private void lowlevelStore(Settings settings) throws IOException {
      if (document.setting("lowlevel.store").equals("legacy-fs")) {
        XmlFile fcfg = XmlFile.read(folders.fedoraConfiguration().resolve("fedora.fcfg"));
        Element module = FedoraConfiguration.module(fcfg, FedoraConfiguration.LOWLEVEL_STORE);
        settings.set(Settings.Name.OBJECTS, folder(module, "object_store_base"));
        settings.set(Settings.Name.CONTENTS, folder(module, "datastream_store_base"));
        return;
      }
      XmlFile beans =
          XmlFile.read(folders.fedoraConfiguration().resolve("spring/akubra-llstore.xml"));
      settings.set(Settings.Name.OBJECTS, argument(beans, "fsObjectStore", 1));
      settings.set(Settings.Name.OBJECT_PATTERN, argument(beans, "fsObjectStoreMapper", 0));
      settings.set(Settings.Name.CONTENTS, argument(beans, "fsDatastreamStore", 1));
      settings.set(Settings.Name.CONTENT_PATTERN, argument(beans, "fsDatastreamStoreMapper", 0));
    }

    private String folder(Element module, String param) throws IOException {
      String value =
          XmlFile.param(module, param)
              .orElseThrow(() -> new IOException("fedora.fcfg has no parameter " + param));
      return folders.fedora().resolve(value).toString();
    }

    private static String argument(XmlFile beans, String bean, int index) throws IOException {
      Element element =
          beans.only(
              "bean",
              bean,
              each ->
                  bean.equals(each.getAttribute("name")) || bean.equals(each.getAttribute("id")));
      return XmlFile.children(element, "constructor-arg").get(index).getAttribute("value");
    }

    @Override
    public void progress(String text) {
      progress.accept(text);
    }

    @Override
    public void count(String name, long value) {
      counts.put(name, value);
    }

    @Override
    public void note(String text) {
      notes.add(text);
    }

    @Override
    public void found(Finding finding) {
      findings.add(finding);
    }

    @Override
    public void done() {
      done = true;
    }
  }
}
