package org.fedometer.profiles.stack.fedora;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.profiles.DatabaseProduct;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.SettingCatalogue;
import org.fedometer.profiles.SettingCatalogue.Scope;
import org.fedometer.profiles.stack.database.DatabaseAccess;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.java.FlightRecording;
import org.fedometer.profiles.stack.program.StackFiles;
import org.fedometer.profiles.stack.program.XmlFile;
import org.w3c.dom.Element;

/**
 * Writes a stack's settings into the configuration files that Fedora's installer left. Applied
 * before every start, because ports may change between starts. Idempotent.
 */
public final class FedoraConfiguration {

  private static final String RESOURCE_INDEX = "org.fcrepo.server.resourceIndex.ResourceIndex";
  private static final String DO_MANAGER = "org.fcrepo.server.storage.DOManager";
  private static final String FIELD_SEARCH = "org.fcrepo.server.search.FieldSearch";
  private static final String POOL_MANAGER = "org.fcrepo.server.storage.ConnectionPoolManager";
  private static final String MANAGEMENT = "org.fcrepo.server.management.Management";

  /** Role of the fedora.fcfg module that stores objects and content as files. */
  public static final String LOWLEVEL_STORE = "org.fcrepo.server.storage.lowlevel.ILowlevelStorage";

  private static final String INTERNAL_USER = "fedoraIntCallUser";

  private final StackFolders folders;
  private final StackDocument stack;
  private final Secrets secrets;

  /**
   * @param stack the document with the ports of the next start
   */
  public FedoraConfiguration(StackFolders folders, StackDocument stack, Secrets secrets) {
    this.folders = folders;
    this.stack = stack;
    this.secrets = secrets;
  }

  /**
   * Writes all files, readable only by the owner.
   *
   * @throws IOException also if one is missing or differs from the installer's form
   */
  public void apply() throws IOException {
    fedoraFcfg();
    serverXml();
    webProperties();
    users();
    logback();
    Optional<FlightRecording> recording = FlightRecording.of(folders, stack);
    if (recording.isPresent()) {
      recording.get().writeSettings();
    }
  }

  private void fedoraFcfg() throws IOException {
    DatabaseAccess database = DatabaseAccess.of(folders, stack, secrets);
    XmlFile fcfg = XmlFile.read(folders.fedoraConfiguration().resolve("fedora.fcfg"));
    fcfg.setParam(fcfg.root(), "fedoraServerPort", Integer.toString(stack.session().httpPort()));
    databasePool(fcfg, database);
    lowlevelStore(fcfg);
    objects(fcfg);
    resourceIndex(fcfg, database);
    fcfg.write();
  }

  private void databasePool(XmlFile fcfg, DatabaseAccess database) throws IOException {
    String pool = database.pool();
    fcfg.setParam(module(fcfg, DO_MANAGER), "storagePool", pool);
    fcfg.setParam(module(fcfg, FIELD_SEARCH), "connectionPool", pool);
    Element poolManager = module(fcfg, POOL_MANAGER);
    fcfg.setParam(poolManager, "poolNames", pool);
    fcfg.setParam(poolManager, "defaultPoolName", pool);
    beforeTheOthers(fcfg, poolManager);
    Element datastore = datastore(fcfg, pool);
    fcfg.setParam(datastore, "jdbcDriverClass", database.driverClass());
    fcfg.setParam(datastore, "jdbcURL", database.fedoraUrl());
    fcfg.setParam(datastore, "dbUsername", database.user());
    fcfg.setParam(datastore, "dbPassword", database.password());
    for (String setting : SettingCatalogue.keys(Dimension.DATABASE, Scope.POOL)) {
      fcfg.setParam(datastore, setting, stack.setting("database." + setting));
    }
  }

  /**
   * Moves the pools to the front, because Fedora ends its modules in reverse order. In the
   * installer's order, the pools end before the triplestore writes its last triples. The pools also
   * end Derby, in which MPTStore stores them.
   */
  private static void beforeTheOthers(XmlFile fcfg, Element module) {
    Element first = fcfg.all("module").get(0);
    if (first != module) {
      first.getParentNode().insertBefore(module, first);
    }
  }

  /**
   * Configures the store, which the installer has chosen for Derby. The older store has its own
   * table.
   */
  private void lowlevelStore(XmlFile fcfg) throws IOException {
    if (!stack.setting("lowlevel.store").equals("legacy-fs")) {
      return;
    }
    boolean escapes = DatabaseProduct.of(stack.setting("database.product")).isMySql();
    fcfg.setParam(module(fcfg, LOWLEVEL_STORE), "backslash_is_escape", Boolean.toString(escapes));
    // Fedora 3.5's installer leaves the other store's beans, which would replace this one.
    Files.deleteIfExists(folders.fedoraConfiguration().resolve("spring/akubra-llstore.xml"));
  }

  private void objects(XmlFile fcfg) throws IOException {
    fcfg.setParam(
        module(fcfg, DO_MANAGER),
        "ingestValidationLevel",
        switch (stack.setting("fedora.validation")) {
          case "all" -> "0";
          case "schema" -> "1";
          case "schematron" -> "2";
          default -> "-1";
        });
    fcfg.setParam(
        module(fcfg, FIELD_SEARCH), "indexDCFields", stack.setting("fedora.indexDCFields"));
    String digest = stack.setting("fedora.checksum");
    Element management = module(fcfg, MANAGEMENT);
    fcfg.setParam(management, "autoChecksum", Boolean.toString(!digest.equals("none")));
    if (!digest.equals("none")) {
      fcfg.setParam(management, "checksumAlgorithm", digest);
    }
  }

  private void resourceIndex(XmlFile fcfg, DatabaseAccess database) throws IOException {
    Element resourceIndex = module(fcfg, RESOURCE_INDEX);
    String store = stack.setting("triplestore.store");
    fcfg.setParam(resourceIndex, "level", store.equals("none") ? "0" : "1");
    if (store.equals("none")) {
      return;
    }
    fcfg.setParam(resourceIndex, "syncUpdates", stack.setting("triplestore.syncUpdates"));
    Element datastore = triplestore(fcfg);
    fcfg.setParam(resourceIndex, "datastore", datastore.getAttribute("id"));
    if (store.equals("mptstore")) {
      fcfg.setParam(datastore, "jdbcDriver", database.driverClass());
      fcfg.setParam(datastore, "jdbcURL", database.triplesUrl());
      fcfg.setParam(datastore, "username", database.user());
      fcfg.setParam(datastore, "password", database.password());
    }
  }

  public static Element triplestore(XmlFile fcfg, StackDocument stack) throws IOException {
    String connector = stack.setting("triplestore.connectorClassName");
    return fcfg.only(
        "datastore",
        "of connector " + connector,
        each -> connector.equals(XmlFile.param(each, "connectorClassName").orElse("")));
  }

  /** Returns the datastore, with the profile's settings. */
  private Element triplestore(XmlFile fcfg) throws IOException {
    Element datastore = triplestore(fcfg, stack);
    List<String> keys =
        SettingCatalogue.keys(Dimension.TRIPLESTORE, Scope.DATASTORE, Scope.SQL_DATASTORE);
    for (String key : new TreeSet<>(keys)) {
      String value = stack.plan().settings().get("triplestore." + key);
      if (value != null) {
        fcfg.setParam(datastore, key, value);
      }
    }
    return datastore;
  }

  /**
   * Limits HTTP to loopback. Removes AJP, whose port the installer fixes at 8009. Removes the
   * shutdown port, which two stacks could compete for; SIGTERM does the same.
   */
  private void serverXml() throws IOException {
    XmlFile server = XmlFile.read(folders.tomcat().resolve("conf/server.xml"));
    server.root().setAttribute("port", "-1");
    for (Element connector : server.all("Connector")) {
      if (connector.getAttribute("protocol").startsWith("AJP/")) {
        connector.getParentNode().removeChild(connector);
      }
    }
    Element http = server.only("Connector", "for HTTP", connector -> true);
    http.setAttribute("port", Integer.toString(stack.session().httpPort()));
    http.setAttribute("address", "127.0.0.1");
    for (String setting : SettingCatalogue.keys(Dimension.CONNECTOR, Scope.ALWAYS)) {
      http.setAttribute(setting, stack.setting("connector." + setting));
    }
    server.write();
  }

  private void webProperties() throws IOException {
    Path path = folders.fedoraConfiguration().resolve("spring/web/web.properties");
    String port = Integer.toString(stack.session().httpPort());
    String text =
        Files.readString(path).replaceAll("(?m)^(fedora\\.port(?:\\.secure)?=).*$", "$1" + port);
    StackFiles.writePrivately(path, text);
  }

  /**
   * Gives the internal user, whose password ships as {@code changeme}, a password for this stack.
   */
  private void users() throws IOException {
    XmlFile users = XmlFile.read(folders.fedoraConfiguration().resolve("fedora-users.xml"));
    users
        .only("user", INTERNAL_USER, user -> INTERNAL_USER.equals(user.getAttribute("name")))
        .setAttribute("password", secrets.internalPassword());
    users.write();
    XmlFile backEnd = XmlFile.read(folders.fedoraConfiguration().resolve("beSecurity.xml"));
    for (Element service : backEnd.all("serviceSecurityDescription")) {
      if (INTERNAL_USER.equals(service.getAttribute("callUsername"))) {
        service.setAttribute("callPassword", secrets.internalPassword());
      }
    }
    backEnd.write();
  }

  /**
   * Turns off debug logging of security checks, which would count as Fedora's work in measurements.
   */
  private void logback() throws IOException {
    XmlFile logback = XmlFile.read(folders.fedoraConfiguration().resolve("logback.xml"));
    for (Element logger : logback.all("logger")) {
      if (Set.of("DEBUG", "TRACE", "ALL").contains(logger.getAttribute("level"))) {
        logger.setAttribute("level", "INFO");
      }
    }
    logback.write();
  }

  /**
   * Returns the module of a role, which is the name of a Fedora class or interface.
   *
   * @throws IOException if there is none or more than one
   */
  public static Element module(XmlFile fcfg, String role) throws IOException {
    return fcfg.only("module", role, module -> role.equals(module.getAttribute("role")));
  }

  private static Element datastore(XmlFile fcfg, String id) throws IOException {
    return fcfg.only("datastore", id, datastore -> id.equals(datastore.getAttribute("id")));
  }

  /** Returns the installer's answers for any profile; the rest is configured afterwards. */
  static Properties installProperties(
      StackFolders folders, StackDocument stack, String adminPassword) {
    Properties properties = new Properties();
    Map.ofEntries(
            Map.entry("unattended", "true"),
            Map.entry("install.type", "custom"),
            Map.entry("servlet.engine", "included"),
            Map.entry("fedora.home", folders.fedora().toString()),
            Map.entry("fedora.serverHost", "127.0.0.1"),
            Map.entry("fedora.serverContext", "fedora"),
            Map.entry("fedora.admin.pass", adminPassword),
            // The installer tries to connect to any other database.
            Map.entry("database", "included"),
            Map.entry("database.driver", "included"),
            Map.entry(
                "database.jdbcURL",
                "jdbc:derby:"
                    + folders.database("derby").resolve(DatabaseAccess.FEDORA_DATABASE)
                    + ";create=true"),
            Map.entry("database.jdbcDriverClass", "org.apache.derby.jdbc.EmbeddedDriver"),
            Map.entry("database.username", DatabaseAccess.USER),
            // Written to its final place later; the installer would copy it to further places.
            Map.entry("database.password", "none"),
            Map.entry("ri.enabled", "true"),
            Map.entry("llstore.type", stack.setting("lowlevel.store")),
            Map.entry("xacml.enabled", stack.setting("fedora.xacml")),
            Map.entry("messaging.enabled", stack.setting("fedora.messaging")),
            Map.entry("messaging.uri", "vm:(broker:()/localhost)"),
            Map.entry("ssl.available", "false"),
            Map.entry("apia.auth.required", "false"),
            Map.entry("deploy.local.services", "false"),
            // The default of 3.8.1; that of 3.5 is an older filter with other stages.
            Map.entry("fesl.authn.enabled", "true"),
            Map.entry("fesl.authz.enabled", "false"),
            Map.entry("tomcat.home", folders.tomcat().toString()),
            Map.entry("tomcat.http.port", "8080"),
            Map.entry("tomcat.shutdown.port", "8005"))
        .forEach(properties::setProperty);
    return properties;
  }
}
