package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** The edits of configuration files, on files of the installer's shape, cut down. */
class FedoraConfigurationTest {

  private static final Secrets SECRETS = new Secrets("admin-s", "internal-s", "db-s", "super-s");

  @TempDir Path home;

  private StackFolders folders;

  @BeforeEach
  void writeTheInstallersFiles() throws IOException {
    folders = new StackFolders(home);
    Path configuration = folders.fedoraConfiguration();
    Files.createDirectories(configuration.resolve("spring/web"));
    Files.createDirectories(folders.tomcat().resolve("conf"));
    Files.writeString(
        configuration.resolve("fedora.fcfg"),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- kept -->
        <server xmlns="http://www.fedora.info/definitions/1/0/config/" class="x">
          <param name="fedoraServerPort" value="8080"><comment>A &quot;port&quot;.</comment></param>
          <module role="org.fcrepo.server.storage.DOManager" class="x">
            <param name="storagePool" value="localDerbyPool"/>
          </module>
          <module role="org.fcrepo.server.search.FieldSearch" class="x">
            <param name="connectionPool" value="localDerbyPool"/>
          </module>
          <module role="org.fcrepo.server.storage.ConnectionPoolManager" class="x">
            <param name="poolNames" value="localDerbyPool"/>
            <param name="defaultPoolName" value="localDerbyPool"/>
          </module>
          <module role="org.fcrepo.server.resourceIndex.ResourceIndex" class="x">
            <param name="datastore" value="localMulgaraTriplestore"/>
          </module>
          <datastore id="localDerbyPool"><param name="jdbcURL" value="jdbc:derby:x"/></datastore>
          <datastore id="localPostgreSQLPool"><param name="maxActive" value="1"/></datastore>
          <datastore id="localMulgaraTriplestore">
            <param name="connectorClassName" value="org.trippi.impl.mulgara.MulgaraConnector"/>
          </datastore>
          <datastore id="localPostgresMPTTriplestore">
            <param name="connectorClassName" value="org.trippi.impl.mpt.MPTConnector"/>
            <param name="jdbcURL" value="jdbc:postgresql://localhost/riTriples"/>
            <param name="password" value="fedoraAdmin"/>
          </datastore>
        </server>
        """);
    Files.writeString(
        configuration.resolve("spring/web/web.properties"),
        "fedora.port.secure=8080\nfedora.port=8080\nsecurity.x=y\n");
    Files.writeString(
        configuration.resolve("fedora-users.xml"),
        """
        <users><user name="fedoraAdmin" password="a"/>
        <user name="fedoraIntCallUser" password="changeme"/></users>
        """);
    Files.writeString(
        configuration.resolve("beSecurity.xml"),
        """
        <serviceSecurityDescription role="default" xmlns="info:b#">
          <serviceSecurityDescription callUsername="fedoraIntCallUser" callPassword="changeme"/>
        </serviceSecurityDescription>
        """);
    Files.writeString(
        configuration.resolve("logback.xml"),
        """
        <configuration><logger name="org.fcrepo.server.security.jaas" level="DEBUG"/>
        <logger name="org.fcrepo" level="INFO"/><root level="WARN"/></configuration>
        """);
    Files.writeString(
        folders.tomcat().resolve("conf/server.xml"),
        """
        <Server port="8005"><Service name="Catalina">
          <Connector port="8080" protocol="HTTP/1.1"/>
          <Connector port="8009" protocol="AJP/1.3"/>
        </Service></Server>
        """);
  }

  @Test
  void mptstoreOnPostgresqlIsConfigured() throws Exception {
    apply("mptstore-postgresql");

    assertThat(param("module", "role", "org.fcrepo.server.storage.DOManager"))
        .containsEntry("storagePool", "localPostgreSQLPool");
    assertThat(param("module", "role", "org.fcrepo.server.search.FieldSearch"))
        .containsEntry("connectionPool", "localPostgreSQLPool");
    assertThat(param("module", "role", "org.fcrepo.server.storage.ConnectionPoolManager"))
        .containsEntry("poolNames", "localPostgreSQLPool")
        .containsEntry("defaultPoolName", "localPostgreSQLPool");
    assertThat(param("module", "role", "org.fcrepo.server.resourceIndex.ResourceIndex"))
        .containsEntry("datastore", "localPostgresMPTTriplestore")
        .containsEntry("syncUpdates", "false");
    assertThat(param("datastore", "id", "localPostgreSQLPool"))
        .containsEntry("jdbcURL", "jdbc:postgresql://127.0.0.1:5433/fedora")
        .containsEntry("dbUsername", "fedora")
        .containsEntry("dbPassword", "db-s")
        .containsEntry("maxActive", "100")
        .containsEntry("testOnBorrow", "true");
    assertThat(param("datastore", "id", "localPostgresMPTTriplestore"))
        .containsEntry("jdbcDriver", "org.postgresql.Driver")
        .containsEntry("jdbcURL", "jdbc:postgresql://127.0.0.1:5433/triples")
        .containsEntry("username", "fedora")
        .containsEntry("password", "db-s")
        .containsEntry("ddlGenerator", "org.nsdl.mptstore.impl.postgres.PostgresDDLGenerator")
        .containsEntry("backslashIsEscape", "false")
        .containsEntry("bufferSafeCapacity", "2000")
        .doesNotContainKeys("literalLimitBytes", "syncUpdates");
  }

  @Test
  void mulgaraOnDerbyIsConfigured() throws Exception {
    apply("mulgara-derby");

    assertThat(param("module", "role", "org.fcrepo.server.resourceIndex.ResourceIndex"))
        .containsEntry("datastore", "localMulgaraTriplestore");
    assertThat(param("datastore", "id", "localMulgaraTriplestore"))
        .containsEntry("bufferSafeCapacity", "40000");
    assertThat(param("datastore", "id", "localDerbyPool"))
        .containsEntry("jdbcURL", "jdbc:derby:x")
        .containsEntry("maxActive", "100");
  }

  @Test
  void applyingTwiceIsApplyingOnce() throws Exception {
    apply("mptstore-postgresql");
    String once = Files.readString(fcfg());
    apply("mptstore-postgresql");

    assertThat(Files.readString(fcfg())).isEqualTo(once);
  }

  @Test
  void commentsStayAndTheFileIsTheOwnersOnly() throws Exception {
    apply("mptstore-postgresql");

    assertThat(Files.readString(fcfg())).contains("<!-- kept -->").contains("A \"port\".");
    assertThat(Files.getPosixFilePermissions(fcfg())).hasSize(2);
  }

  @Test
  void tomcatListensOnLoopbackWithoutAjpAndShutdownPort() throws Exception {
    apply("mulgara-derby");

    XmlFile server = XmlFile.read(folders.tomcat().resolve("conf/server.xml"));
    assertThat(server.root().getAttribute("port")).isEqualTo("-1");
    assertThat(server.all("Connector"))
        .singleElement()
        .satisfies(
            http -> {
              assertThat(http.getAttribute("port")).isEqualTo("8181");
              assertThat(http.getAttribute("address")).isEqualTo("127.0.0.1");
            });
    assertThat(Files.readString(folders.fedoraConfiguration().resolve("spring/web/web.properties")))
        .isEqualTo("fedora.port.secure=8181\nfedora.port=8181\nsecurity.x=y\n");
  }

  @Test
  void theInternalUserGetsAPasswordOfItsOwn() throws Exception {
    apply("mulgara-derby");

    assertThat(Files.readString(folders.fedoraConfiguration().resolve("fedora-users.xml")))
        .doesNotContain("changeme")
        .contains("password=\"internal-s\"")
        .contains("password=\"a\"");
    assertThat(Files.readString(folders.fedoraConfiguration().resolve("beSecurity.xml")))
        .contains("callPassword=\"internal-s\"");
  }

  @Test
  void nothingLogsAtDebug() throws Exception {
    apply("mulgara-derby");

    assertThat(Files.readString(folders.fedoraConfiguration().resolve("logback.xml")))
        .doesNotContain("DEBUG")
        .contains("level=\"WARN\"");
  }

  @Test
  void aFileThatIsNotTheInstallersIsRefused() throws IOException {
    Files.writeString(fcfg(), "<server xmlns='http://www.fedora.info/definitions/1/0/config/'/>");

    assertThatThrownBy(() -> apply("mulgara-derby"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected one <datastore> localDerbyPool, found 0");
  }

  private void apply(String profile) throws Exception {
    StackDocument document =
        StackDocument.of("1", Profiles.load(profile), StackOptions.at(home)).withPorts(8181, 5433);
    new FedoraConfiguration(folders, document, SECRETS).apply();
  }

  private Path fcfg() {
    return folders.fedoraConfiguration().resolve("fedora.fcfg");
  }

  private Map<String, String> param(String element, String attribute, String value)
      throws IOException {
    Element parent =
        XmlFile.read(fcfg()).only(element, value, e -> value.equals(e.getAttribute(attribute)));
    Map<String, String> params = new TreeMap<>();
    for (Element param : XmlFile.children(parent, "param")) {
      assertThat(params.put(param.getAttribute("name"), param.getAttribute("value"))).isNull();
    }
    return params;
  }
}
