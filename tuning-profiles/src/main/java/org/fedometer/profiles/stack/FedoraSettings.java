package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.XmlFile;
import org.w3c.dom.Element;

/**
 * A Fedora's settings that affect a load: from the files of a home, of a stack or any Fedora 3, or
 * from a profile not yet installed. A running Fedora may have been started with older files.
 * Immutable.
 *
 * @param resourceIndex true if Fedora keeps triples
 * @param syncUpdates true if it writes an object's triples before it answers
 * @param retainedNamespaces namespaces of PIDs that Fedora's PID generator learns of; empty for all
 * @param databaseConnections maximum of Fedora's database connections; {@link Integer#MAX_VALUE}
 *     for no limit
 * @param httpThreads maximum of concurrent requests in Tomcat; empty if its configuration is not
 *     visible
 * @param httpQueue maximum of connections that wait for a thread
 * @param fetchConnections maximum of connections by which Fedora fetches content from one host
 * @param folders known folders on this host that Fedora or its database write to
 */
public record FedoraSettings(
    boolean resourceIndex,
    boolean syncUpdates,
    Triplestore triplestore,
    Optional<Set<String>> retainedNamespaces,
    int databaseConnections,
    Optional<Integer> httpThreads,
    int httpQueue,
    int fetchConnections,
    Policies policies,
    List<Path> folders) {

  /** Tomcat's defaults. */
  private static final int TOMCAT_THREADS = 200;

  private static final int TOMCAT_QUEUE = 100;

  /** Default of Fedora 3.8.1. */
  private static final int FETCH_CONNECTIONS = 5;

  private static final int GROW = 2;

  private static final String POSTGRESQL = "PostgresDDLGenerator";
  private static final String INDEX = "resourceIndex.ResourceIndex";
  private static final String OBJECTS = "storage.DOManager";
  private static final String AUTHORIZATION = "security.Authorization";

  public FedoraSettings {
    Objects.requireNonNull(policies, "policies");
    Objects.requireNonNull(triplestore, "triplestore");
    Objects.requireNonNull(httpThreads, "httpThreads");
    retainedNamespaces = retainedNamespaces.map(Set::copyOf);
    folders = List.copyOf(folders);
  }

  /**
   * @param name {@code mptstore}, {@code mulgara}, {@code none}, or the connector's class
   * @param literalLimitBytes the longest literal that it keeps, as {@link
   *     Profile#literalLimitBytes}
   * @param compresses true if it also keeps longer ones that compress to that length, as the
   *     indexes of PostgreSQL do
   * @param readers maximum of concurrent queries; {@link Integer#MAX_VALUE} for no limit
   */
  public record Triplestore(String name, int literalLimitBytes, boolean compresses, int readers) {
    static final Triplestore NONE =
        new Triplestore("none", Integer.MAX_VALUE, false, Integer.MAX_VALUE);
  }

  /** Enforcement of Fedora's XACML policies: {@code ENFORCE-MODE}. */
  public enum Policies {
    PERMIT_ALL,
    DENY_ALL,
    ENFORCED
  }

  public static FedoraSettings of(Profile profile) {
    boolean triples = profile.hasTriplestore();
    return new FedoraSettings(
        triples,
        triples && Boolean.parseBoolean(profile.text("triplestore.syncUpdates")),
        triples
            ? new Triplestore(
                profile.text("triplestore.store"),
                profile.literalLimitBytes(),
                profile.text("database.product").equals("postgresql"),
                readers(profile))
            : Triplestore.NONE,
        Optional.empty(),
        limit(profile.number("database.maxActive")),
        Optional.of(profile.number("connector.maxThreads")),
        profile.number("connector.acceptCount"),
        FETCH_CONNECTIONS,
        Boolean.parseBoolean(profile.text("fedora.xacml"))
            ? Policies.ENFORCED
            : Policies.PERMIT_ALL,
        List.of());
  }

  private static int readers(Profile profile) {
    return profile.has("triplestore.poolMaxSize")
        ? profile.number("triplestore.poolMaxSize")
        : Integer.MAX_VALUE;
  }

  /**
   * Returns the settings in a home: a stack's, or a FEDORA_HOME.
   *
   * @throws IOException with a one-sentence message, if it is no such folder, or its files are
   *     invalid
   */
  public static FedoraSettings in(Path home) throws IOException {
    Path folder = home.toAbsolutePath().normalize();
    StackFolders folders = new StackFolders(folder);
    Optional<StackState> stack =
        StackDocument.read(folders.document()).map(found -> new StackState(folders, found));
    Path fedora = stack.isPresent() ? folders.fedora() : folder;
    Path fcfg = fedora.resolve("server/config/fedora.fcfg");
    if (!Files.isRegularFile(fcfg)) {
      throw new IOException(
          home + " is not a Fedora home: it has neither stack.json nor server/config/fedora.fcfg");
    }
    return new Reading(fedora, stack, XmlFile.read(fcfg)).settings();
  }

  /** Returns whether a folder is the home of a Fedora that is configured for that port. */
  public static boolean isForPort(Path fedoraHome, int port) {
    try {
      return XmlFile.param(
              XmlFile.read(fedoraHome.resolve("server/config/fedora.fcfg")).root(),
              "fedoraServerPort")
          .filter(Integer.toString(port)::equals)
          .isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private record Reading(Path fedora, Optional<StackState> stack, XmlFile fcfg) {

    FedoraSettings settings() throws IOException {
      boolean on = param(INDEX, "level").map(text -> number(text, 0)).orElse(0) > 0;
      Optional<Element> connector = connector();
      return new FedoraSettings(
          on,
          param(INDEX, "syncUpdates").map(Boolean::parseBoolean).orElse(false),
          on ? triplestore() : Triplestore.NONE,
          retained(),
          databaseConnections(),
          connector.map(this::threads),
          connector.map(each -> attribute(each, "acceptCount", TOMCAT_QUEUE)).orElse(TOMCAT_QUEUE),
          Math.min(
              number(fcfg.root(), "httpClientMaxConnectionsPerHost", FETCH_CONNECTIONS),
              number(fcfg.root(), "httpClientMaxTotalConnections", FETCH_CONNECTIONS)),
          policies(),
          folders());
    }

    /**
     * Finds a module by the end of its role, which was {@code fedora.server...} before Fedora 3.4.
     */
    private Optional<String> param(String role, String name) {
      String ending = ".server." + role;
      return fcfg.all("module").stream()
          .filter(each -> ("." + each.getAttribute("role")).endsWith(ending))
          .findFirst()
          .flatMap(each -> XmlFile.param(each, name));
    }

    private Optional<Element> datastore(String id) {
      return fcfg.all("datastore").stream()
          .filter(each -> each.getAttribute("id").equals(id))
          .findFirst();
    }

    private Triplestore triplestore() {
      Optional<Element> datastore = param(INDEX, "datastore").flatMap(this::datastore);
      String connector =
          datastore.flatMap(each -> XmlFile.param(each, "connectorClassName")).orElse("");
      return switch (connector) {
        case "org.trippi.impl.mulgara.MulgaraConnector" ->
            new Triplestore("mulgara", Integer.MAX_VALUE, false, Integer.MAX_VALUE);
        case "org.trippi.impl.mpt.MPTConnector" ->
            new Triplestore(
                "mptstore",
                literalLimitBytes(ddlGenerator(datastore.get())),
                ddlGenerator(datastore.get()).equals(POSTGRESQL),
                number(datastore.get(), "poolMaxSize", Integer.MAX_VALUE));
        default -> new Triplestore(connector, Integer.MAX_VALUE, false, Integer.MAX_VALUE);
      };
    }

    /**
     * Returns the limit of a stack, or of MPTStore's default columns, as in the shipped profiles
     * ({@code triplestore/mptstore.yaml}).
     */
    private int literalLimitBytes(String ddlGenerator) {
      if (stack.isPresent()) {
        return stack.get().document().plan().literalLimitBytes();
      }
      return switch (ddlGenerator) {
        case POSTGRESQL -> 2692;
        case "MysqlDDLGenerator" -> 255;
        case "DerbyDDLGenerator" -> 512;
        default -> Integer.MAX_VALUE;
      };
    }

    /** Returns MPTStore's class without its package. */
    private static String ddlGenerator(Element datastore) {
      String name = XmlFile.param(datastore, "ddlGenerator").orElse("");
      return name.substring(name.lastIndexOf('.') + 1);
    }

    private Optional<Set<String>> retained() {
      return param(OBJECTS, "retainPIDs")
          .filter(value -> !value.equals("*"))
          .map(
              value -> {
                Set<String> namespaces = new LinkedHashSet<>();
                Arrays.stream(value.strip().split("[ ,]+"))
                    .filter(namespace -> !namespace.isEmpty())
                    .forEach(namespaces::add);
                return namespaces;
              });
    }

    /** Returns the smaller pool, since registry and field index may have separate ones. */
    private int databaseConnections() {
      String standard = param("storage.ConnectionPoolManager", "defaultPoolName").orElse("");
      int min = Integer.MAX_VALUE;
      for (String pool :
          List.of(
              param(OBJECTS, "storagePool").orElse(standard),
              param("search.FieldSearch", "connectionPool").orElse(standard))) {
        Optional<Element> datastore = datastore(pool);
        if (datastore.isPresent() && number(datastore.get(), "whenExhaustedAction", 1) != GROW) {
          min = Math.min(min, limit(number(datastore.get(), "maxActive", 0)));
        }
      }
      return min;
    }

    /** Returns the plain HTTP connector of the Tomcat in Fedora's home. */
    private Optional<Element> connector() throws IOException {
      Path file = fedora.resolve("tomcat/conf/server.xml");
      if (!Files.isRegularFile(file)) {
        return Optional.empty();
      }
      String port = XmlFile.param(fcfg.root(), "fedoraServerPort").orElse("");
      return XmlFile.read(file).all("Connector").stream()
          .filter(each -> each.getAttribute("port").equals(port))
          .findFirst();
    }

    private int threads(Element connector) {
      String executor = connector.getAttribute("executor");
      if (!executor.isEmpty()) {
        for (Element each : XmlFile.children((Element) connector.getParentNode(), "Executor")) {
          if (each.getAttribute("name").equals(executor)) {
            return attribute(each, "maxThreads", TOMCAT_THREADS);
          }
        }
      }
      return attribute(connector, "maxThreads", TOMCAT_THREADS);
    }

    private Policies policies() {
      return switch (param(AUTHORIZATION, "ENFORCE-MODE").orElse("")) {
        case "permit-all-requests" -> Policies.PERMIT_ALL;
        case "deny-all-requests" -> Policies.DENY_ALL;
        default -> Policies.ENFORCED;
      };
    }

    private List<Path> folders() throws IOException {
      List<Path> folders = new ArrayList<>(List.of(fedora.resolve("data")));
      Path akubra = fedora.resolve("server/config/spring/akubra-llstore.xml");
      if (Files.isRegularFile(akubra)) {
        XmlFile.read(akubra).all("constructor-arg").stream()
            .map(argument -> argument.getAttribute("value"))
            .filter(value -> value.startsWith("/"))
            .forEach(value -> folders.add(Path.of(value)));
      }
      for (String name : List.of("object_store_base", "datastream_store_base")) {
        param("storage.lowlevel.ILowlevelStorage", name)
            .ifPresent(base -> folders.add(fedora.resolve(base)));
      }
      stack.ifPresent(
          each -> {
            Path elsewhere = each.foldersElsewhere().get("data");
            if (elsewhere != null) {
              folders.add(elsewhere);
            }
          });
      return folders;
    }

    private static int number(Element parent, String name, int otherwise) {
      return XmlFile.param(parent, name).map(text -> number(text, otherwise)).orElse(otherwise);
    }

    private static int attribute(Element element, String name, int otherwise) {
      return number(element.getAttribute(name), otherwise);
    }

    private static int number(String text, int otherwise) {
      try {
        return Integer.parseInt(text.strip());
      } catch (NumberFormatException e) {
        return otherwise;
      }
    }
  }

  /** Converts a pool's maximum: zero or less means no limit. */
  private static int limit(int maxActive) {
    return maxActive <= 0 ? Integer.MAX_VALUE : maxActive;
  }
}
