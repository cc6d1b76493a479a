package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.fedometer.profiles.Dimension;
import org.w3c.dom.Element;

/**
 * Writes a stack's settings into the configuration files that Fedora's installer left. Applied
 * before every start, because ports may change between two starts; applying it twice changes
 * nothing.
 */
final class FedoraConfiguration {

  private static final String RESOURCE_INDEX = "org.fcrepo.server.resourceIndex.ResourceIndex";
  private static final String DO_MANAGER = "org.fcrepo.server.storage.DOManager";
  private static final String FIELD_SEARCH = "org.fcrepo.server.search.FieldSearch";
  private static final String POOL_MANAGER = "org.fcrepo.server.storage.ConnectionPoolManager";
  private static final String INTERNAL_USER = "fedoraIntCallUser";

  /** Settings of the triplestore that are not parameters of its datastore. */
  private static final Set<String> NOT_OF_THE_DATASTORE =
      Set.of("syncUpdates", "literalLimitBytes");

  private static final List<String> POOL_SETTINGS =
      List.of("maxActive", "testOnBorrow", "testOnReturn");

  private final StackFolders folders;
  private final StackDocument stack;
  private final Secrets secrets;

  FedoraConfiguration(StackFolders folders, StackDocument stack, Secrets secrets) {
    this.folders = folders;
    this.stack = stack;
    this.secrets = secrets;
  }

  void apply() throws IOException {
    fedoraFcfg();
    serverXml();
    webProperties();
    users();
    logback();
  }

  private void fedoraFcfg() throws IOException {
    XmlFile fcfg = XmlFile.read(folders.fedoraConfiguration().resolve("fedora.fcfg"));
    fcfg.setParam(fcfg.root(), "fedoraServerPort", Integer.toString(stack.session().httpPort()));
    String pool = databasePool(fcfg);
    fcfg.setParam(module(fcfg, DO_MANAGER), "storagePool", pool);
    fcfg.setParam(module(fcfg, FIELD_SEARCH), "connectionPool", pool);
    fcfg.setParam(module(fcfg, POOL_MANAGER), "poolNames", pool);
    fcfg.setParam(module(fcfg, POOL_MANAGER), "defaultPoolName", pool);
    Element resourceIndex = module(fcfg, RESOURCE_INDEX);
    fcfg.setParam(resourceIndex, "datastore", triplestore(fcfg));
    fcfg.setParam(resourceIndex, "syncUpdates", stack.setting("triplestore.syncUpdates"));
    fcfg.write();
  }

  /** Fills in the pool of the profile's database; answers its name. */
  private String databasePool(XmlFile fcfg) throws IOException {
    String database = stack.choice(Dimension.DATABASE);
    String pool =
        switch (database) {
          case "derby" -> "localDerbyPool";
          case "postgresql" -> "localPostgreSQLPool";
          default -> throw new IllegalStateException("no pool known for database " + database);
        };
    Element datastore = datastore(fcfg, pool);
    if (database.equals("postgresql")) {
      fcfg.setParam(datastore, "jdbcURL", jdbcUrl(PostgresServer.FEDORA_DATABASE));
      fcfg.setParam(datastore, "dbUsername", PostgresServer.USER);
      fcfg.setParam(datastore, "dbPassword", secrets.databasePassword());
    }
    for (String setting : POOL_SETTINGS) {
      fcfg.setParam(datastore, setting, stack.setting("database." + setting));
    }
    return pool;
  }

  /** Fills in the datastore of the profile's triplestore; answers its name. */
  private String triplestore(XmlFile fcfg) throws IOException {
    String connector = stack.setting("triplestore.connectorClassName");
    Element datastore =
        fcfg.only(
            "datastore",
            "of connector " + connector,
            each -> connector.equals(XmlFile.param(each, "connectorClassName").orElse("")));
    String prefix = "triplestore.";
    for (Map.Entry<String, String> setting : stack.plan().settings().entrySet()) {
      String key = setting.getKey();
      if (key.startsWith(prefix)
          && !NOT_OF_THE_DATASTORE.contains(key.substring(prefix.length()))) {
        fcfg.setParam(datastore, key.substring(prefix.length()), setting.getValue());
      }
    }
    if (stack.choice(Dimension.TRIPLESTORE).equals("mptstore")) {
      fcfg.setParam(datastore, "jdbcDriver", "org.postgresql.Driver");
      fcfg.setParam(datastore, "jdbcURL", jdbcUrl(PostgresServer.TRIPLES_DATABASE));
      fcfg.setParam(datastore, "username", PostgresServer.USER);
      fcfg.setParam(datastore, "password", secrets.databasePassword());
    }
    return datastore.getAttribute("id");
  }

  private String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + stack.session().databasePort() + "/" + database;
  }

  /**
   * HTTP on loopback only; no AJP, whose port the installer fixes at 8009; no shutdown port, since
   * SIGTERM does the same and needs no port that two stacks could fight for.
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
    server.write();
  }

  private void webProperties() throws IOException {
    Path path = folders.fedoraConfiguration().resolve("spring/web/web.properties");
    String port = Integer.toString(stack.session().httpPort());
    String text =
        Files.readString(path).replaceAll("(?m)^(fedora\\.port(?:\\.secure)?=).*$", "$1" + port);
    StackFiles.writePrivately(path, text);
  }

  /** Gives the internal user, whose password ships as {@code changeme}, one of this stack's own. */
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

  /** Debug logging of security checks would be measured as if it were Fedora's work. */
  private void logback() throws IOException {
    XmlFile logback = XmlFile.read(folders.fedoraConfiguration().resolve("logback.xml"));
    for (Element logger : logback.all("logger")) {
      if (Set.of("DEBUG", "TRACE", "ALL").contains(logger.getAttribute("level"))) {
        logger.setAttribute("level", "INFO");
      }
    }
    logback.write();
  }

  private static Element module(XmlFile fcfg, String role) throws IOException {
    return fcfg.only("module", role, module -> role.equals(module.getAttribute("role")));
  }

  private static Element datastore(XmlFile fcfg, String id) throws IOException {
    return fcfg.only("datastore", id, datastore -> id.equals(datastore.getAttribute("id")));
  }

  /** What the installer wants to know, for any profile; the rest is configured afterwards. */
  static Properties installProperties(StackFolders folders, StackDocument stack, Secrets secrets) {
    Properties properties = new Properties();
    Map.ofEntries(
            Map.entry("unattended", "true"),
            Map.entry("install.type", "custom"),
            Map.entry("servlet.engine", "included"),
            Map.entry("fedora.home", folders.fedora().toString()),
            Map.entry("fedora.serverHost", "127.0.0.1"),
            Map.entry("fedora.serverContext", "fedora"),
            Map.entry("fedora.admin.pass", secrets.adminPassword()),
            // With any other database the installer wants to connect to it.
            Map.entry("database", "included"),
            Map.entry("database.driver", "included"),
            Map.entry("database.jdbcURL", "jdbc:derby:" + folders.derby() + ";create=true"),
            Map.entry("database.jdbcDriverClass", "org.apache.derby.jdbc.EmbeddedDriver"),
            Map.entry("database.username", "fedoraAdmin"),
            Map.entry("database.password", secrets.databasePassword()),
            Map.entry("ri.enabled", "true"),
            Map.entry("llstore.type", stack.setting("lowlevel.store")),
            Map.entry("xacml.enabled", stack.setting("fedora.xacml")),
            Map.entry("messaging.enabled", stack.setting("fedora.messaging")),
            Map.entry("messaging.uri", "vm:(broker:()/localhost)"),
            Map.entry("ssl.available", "false"),
            Map.entry("apia.auth.required", "false"),
            Map.entry("deploy.local.services", "false"),
            Map.entry("fesl.authz.enabled", "false"),
            Map.entry("tomcat.home", folders.tomcat().toString()),
            Map.entry("tomcat.http.port", "8080"),
            Map.entry("tomcat.shutdown.port", "8005"))
        .forEach(properties::setProperty);
    return properties;
  }
}
