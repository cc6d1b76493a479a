package org.fedometer.profiles.stack.fedora;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.java.FlightRecording;
import org.fedometer.profiles.stack.java.JavaHomes;
import org.fedometer.profiles.stack.program.Command;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.XmlFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
          <module role="org.fcrepo.server.storage.lowlevel.ILowlevelStorage" class="x">
            <param name="backslash_is_escape" value="x"/>
          </module>
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
          <module role="org.fcrepo.server.management.Management" class="x">
            <param name="autoChecksum" value="false"/>
          </module>
          <module role="org.fcrepo.server.resourceIndex.ResourceIndex" class="x">
            <param name="datastore" value="localMulgaraTriplestore"/>
          </module>
          <datastore id="localDerbyPool"><param name="jdbcURL" value="jdbc:derby:x"/></datastore>
          <datastore id="localMySQLPool"><param name="maxActive" value="1"/></datastore>
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
  void theConnectionPoolsEndAfterTheTriplestoreHasWrittenItsLastTriples() throws Exception {
    apply("mptstore-derby");

    XmlFile fcfg = XmlFile.read(folders.fedoraConfiguration().resolve("fedora.fcfg"));
    assertThat(fcfg.all("module"))
        .as("Fedora ends its modules in the opposite order")
        .first()
        .extracting(module -> module.getAttribute("role"))
        .isEqualTo("org.fcrepo.server.storage.ConnectionPoolManager");
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
        .containsEntry("jdbcURL", "jdbc:derby:" + home + "/database/derby/fedora;create=true")
        .containsEntry("maxActive", "100");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mysql", "mariadb"})
  void mptstoreOnMySqlAndMariaDbIsConfigured(String product) throws Exception {
    apply("mptstore-" + product);

    assertThat(param("module", "role", "org.fcrepo.server.storage.ConnectionPoolManager"))
        .containsEntry("poolNames", "localMySQLPool")
        .containsEntry("defaultPoolName", "localMySQLPool");
    assertThat(param("datastore", "id", "localMySQLPool"))
        .containsEntry("jdbcDriverClass", "com.mysql.jdbc.Driver")
        .containsEntry(
            "jdbcURL",
            "jdbc:mysql://127.0.0.1:5433/fedora?useUnicode=true&characterEncoding=UTF-8&useSSL=false")
        .containsEntry("dbPassword", "db-s");
    assertThat(param("datastore", "id", "localPostgresMPTTriplestore"))
        .containsEntry("jdbcDriver", "com.mysql.jdbc.Driver")
        .containsEntry(
            "jdbcURL",
            "jdbc:mysql://127.0.0.1:5433/triples?useUnicode=true&characterEncoding=UTF-8&useSSL=false")
        .containsEntry("ddlGenerator", "org.nsdl.mptstore.impl.mysql.MysqlDDLGenerator")
        .containsEntry("backslashIsEscape", "true")
        .containsEntry("password", "db-s");
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
  void theInternalUserHasASeparatePassword() throws Exception {
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
        .hasMessageContaining("expected one <module> org.fcrepo.server.storage.DOManager, found 0");
  }

  @Test
  void whatHappensToObjectsIsConfigured() throws Exception {
    apply(
        "mulgara-derby",
        "fedora.validation=none",
        "fedora.checksum=SHA-256",
        "fedora.indexDCFields=false",
        "connector=nio",
        "connector.maxThreads=300");

    assertThat(param("module", "role", "org.fcrepo.server.storage.DOManager"))
        .containsEntry("ingestValidationLevel", "-1");
    assertThat(param("module", "role", "org.fcrepo.server.search.FieldSearch"))
        .containsEntry("indexDCFields", "false");
    assertThat(param("module", "role", "org.fcrepo.server.management.Management"))
        .containsEntry("autoChecksum", "true")
        .containsEntry("checksumAlgorithm", "SHA-256");
    assertThat(XmlFile.read(folders.tomcat().resolve("conf/server.xml")).all("Connector"))
        .singleElement()
        .satisfies(
            http -> {
              assertThat(http.getAttribute("protocol"))
                  .isEqualTo("org.apache.coyote.http11.Http11NioProtocol");
              assertThat(http.getAttribute("maxThreads")).isEqualTo("300");
            });
  }

  @Test
  void anExternalDatabaseIsNamedToFedoraWithItsEncoding() throws Exception {
    apply(
        "mptstore-mysql",
        "database=mysql-external",
        "database.url=jdbc:mysql://db.example:3306/f",
        "database.triplesUrl=jdbc:mysql://db.example/t?useSSL=false",
        "database.user=somebody");

    assertThat(param("datastore", "id", "localMySQLPool"))
        .containsEntry(
            "jdbcURL", "jdbc:mysql://db.example:3306/f?useUnicode=true&characterEncoding=UTF-8")
        .containsEntry("dbUsername", "somebody")
        .containsEntry("dbPassword", "db-s");
    assertThat(param("datastore", "id", "localPostgresMPTTriplestore"))
        .containsEntry(
            "jdbcURL",
            "jdbc:mysql://db.example/t?useSSL=false&useUnicode=true&characterEncoding=UTF-8")
        .containsEntry("username", "somebody");
  }

  @Test
  void theInstallerDoesNotGetTheDatabasePassword() throws Exception {
    StackDocument document =
        StackDocument.of(
            "1",
            Profiles.shipped().profile("mptstore-postgresql"),
            StackOptions.at(home),
            Path.of(System.getProperty("java.home")));

    assertThat(
            FedoraConfiguration.installProperties(folders, document, SECRETS.adminPassword())
                .values())
        .doesNotContain("db-s");
  }

  @Test
  void withoutATriplestoreTheResourceIndexIsOff() throws Exception {
    apply("none-postgresql");

    assertThat(param("module", "role", "org.fcrepo.server.resourceIndex.ResourceIndex"))
        .containsEntry("level", "0");
  }

  @Test
  void theOlderStoreStandsAlone() throws Exception {
    Path akubra = folders.fedoraConfiguration().resolve("spring/akubra-llstore.xml");
    Files.writeString(akubra, "<beans/>");

    apply("mulgara-mysql", "lowlevel=legacy-fs");

    assertThat(param("module", "role", "org.fcrepo.server.storage.lowlevel.ILowlevelStorage"))
        .containsEntry("backslash_is_escape", "true");
    assertThat(akubra).doesNotExist();
  }

  @Test
  void aFlightRecordingHoldsNothingThatMayBeSecret() throws Exception {
    apply("mulgara-derby", "jvm.jfr=profile");

    XmlFile events = XmlFile.read(folders.flightRecordingSettings());
    assertThat(enabled(events, "jdk.ExecutionSample")).isEqualTo("true");
    for (String event :
        List.of(
            "jdk.InitialEnvironmentVariable",
            "jdk.InitialSystemProperty",
            "jdk.JVMInformation",
            "jdk.SystemProcess")) {
      assertThat(enabled(events, event)).as(event).isEqualTo("false");
    }
  }

  /** Java 25 has events of their own for agents and their options. */
  @Test
  void aRecordingOfANewJavaDoesNotHoldTheOptionsOfAgents() throws Exception {
    Profile profile =
        Profiles.shipped().profile("mulgara-derby", List.of("jvm=25", "jvm.jfr=profile"));
    Path java;
    try {
      java = JavaHomes.ofMachine().forProfile(profile).home();
    } catch (ProvisioningException e) {
      if ("1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
        throw e;
      }
      abort("SKIPPED: " + e.getMessage());
      return;
    }
    StackDocument document = StackDocument.of("1", profile, StackOptions.at(home), java);
    FlightRecording recording = FlightRecording.of(folders, document).orElseThrow();
    recording.writeSettings();
    Files.createDirectories(folders.logs());
    Command.Result ending =
        Command.execute(
            List.of(
                java.resolve("bin/java").toString(),
                recording.argument(),
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0,timeout=47114711",
                "-XshowSettings:vm",
                "--list-modules"));
    assertThat(ending.status()).as(ending.output()).isZero();

    List<RecordedEvent> events = RecordingFile.readAllEvents(folders.flightRecording());

    assertThat(events)
        .anyMatch(event -> event.getEventType().getName().equals("jdk.CPUInformation"));
    assertThat(events).noneMatch(event -> event.toString().contains("47114711"));
  }

  private static String enabled(XmlFile events, String name) throws IOException {
    Element event = events.only("event", name, each -> name.equals(each.getAttribute("name")));
    return XmlFile.children(event, "setting").stream()
        .filter(setting -> setting.getAttribute("name").equals("enabled"))
        .findFirst()
        .orElseThrow()
        .getTextContent();
  }

  @Test
  void withoutAFlightRecordingThereAreNoSettingsOfOne() throws Exception {
    apply("mulgara-derby");

    assertThat(folders.flightRecordingSettings()).doesNotExist();
  }

  private void apply(String profile, String... changes) throws Exception {
    StackDocument document =
        StackDocument.of(
                "1",
                Profiles.shipped().profile(profile, List.of(changes)),
                StackOptions.at(home),
                Path.of(System.getProperty("java.home")))
            .withPorts(8181, 5433);
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
