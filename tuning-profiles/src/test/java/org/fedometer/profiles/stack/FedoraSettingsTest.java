package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A home's files, in the shape in which Fedora 3.8.1's installer leaves them, cut down. */
class FedoraSettingsTest {

  @TempDir Path home;

  private Path fcfg;

  @BeforeEach
  void writeAHome() throws IOException {
    fcfg = home.resolve("server/config/fedora.fcfg");
    Files.createDirectories(fcfg.getParent().resolve("spring"));
    Files.createDirectories(home.resolve("tomcat/conf"));
    Files.writeString(
        fcfg,
        """
        <?xml version="1.0" encoding="UTF-8" standalone="no"?>
        <server xmlns="http://www.fedora.info/definitions/1/0/config/" class="x">
          <param name="fedoraServerPort" value="8080"><comment>Its port.</comment></param>
          <param name="httpClientMaxTotalConnections" value="20"/>
          <param name="httpClientMaxConnectionsPerHost" value="8"/>
          <module role="org.fcrepo.server.security.Authorization" class="x">
            <param isFilePath="true" name="REPOSITORY-POLICIES-DIRECTORY"
              value="data/fedora-xacml-policies/repository-policies"/>
            <param name="ENFORCE-MODE" value="permit-all-requests"/>
          </module>
          <module role="org.fcrepo.server.storage.DOManager" class="x">
            <param name="storagePool" value="localPostgreSQLPool"/>
          </module>
          <module role="org.fcrepo.server.search.FieldSearch" class="x">
            <param name="connectionPool" value="localPostgreSQLPool"/>
          </module>
          <module role="org.fcrepo.server.storage.ConnectionPoolManager" class="x">
            <param name="defaultPoolName" value="localPostgreSQLPool"/>
          </module>
          <module role="org.fcrepo.server.resourceIndex.ResourceIndex" class="x">
            <param name="level" value="1"/>
            <param name="syncUpdates" value="false"/>
            <param name="datastore" value="localPostgresMPTTriplestore"/>
          </module>
          <datastore id="localPostgreSQLPool">
            <param name="whenExhaustedAction" value="1"/>
            <param name="maxActive" value="100"/>
          </datastore>
          <datastore id="localMulgaraTriplestore">
            <param name="connectorClassName" value="org.trippi.impl.mulgara.MulgaraConnector"/>
          </datastore>
          <datastore id="localPostgresMPTTriplestore">
            <param name="connectorClassName" value="org.trippi.impl.mpt.MPTConnector"/>
            <param name="ddlGenerator"
              value="org.nsdl.mptstore.impl.postgres.PostgresDDLGenerator"/>
            <param name="poolMaxSize" value="10"/>
          </datastore>
        </server>
        """);
    Files.writeString(
        home.resolve("server/config/spring/akubra-llstore.xml"),
        """
        <beans xmlns="http://www.springframework.org/schema/beans"><bean id="fsObjectStore">
          <constructor-arg value="urn:example.org:fsObjectStore"/>
          <constructor-arg value="/mnt/objects"/>
        </bean></beans>
        """);
    Files.writeString(
        home.resolve("tomcat/conf/server.xml"),
        """
        <Server port="8005"><Service name="Catalina">
          <Executor name="shared" maxThreads="33"/>
          <Connector port="8443" protocol="HTTP/1.1" maxThreads="7"/>
          <Connector port="8080" protocol="HTTP/1.1" maxThreads="150" acceptCount="50"/>
        </Service></Server>
        """);
  }

  @Test
  void whatDecidesOfALoadIsRead() throws IOException {
    FedoraSettings settings = FedoraSettings.in(home);

    assertThat(settings.resourceIndex()).isTrue();
    assertThat(settings.syncUpdates()).isFalse();
    assertThat(settings.triplestore())
        .isEqualTo(new FedoraSettings.Triplestore("mptstore", 2692, true, 10));
    assertThat(settings.retainedNamespaces()).as("none is named: all").isEmpty();
    assertThat(settings.databaseConnections()).isEqualTo(100);
    assertThat(settings.httpThreads()).contains(150);
    assertThat(settings.httpQueue()).isEqualTo(50);
    assertThat(settings.fetchConnections()).isEqualTo(8);
    assertThat(settings.policies()).isEqualTo(FedoraSettings.Policies.PERMIT_ALL);
    assertThat(settings.folders()).contains(home.resolve("data"), Path.of("/mnt/objects"));
  }

  @Test
  void whatFedoraDoesWithItsPoliciesIsRead() throws IOException {
    edit("\"permit-all-requests\"", "\"deny-all-requests\"");
    assertThat(FedoraSettings.in(home).policies()).isEqualTo(FedoraSettings.Policies.DENY_ALL);

    edit("\"deny-all-requests\"", "\"enforce-policies\"");
    assertThat(FedoraSettings.in(home).policies()).isEqualTo(FedoraSettings.Policies.ENFORCED);
  }

  @Test
  void aResourceIndexThatIsOffHasNoTriplestore() throws IOException {
    edit("name=\"level\" value=\"1\"", "name=\"level\" value=\"0\"");

    FedoraSettings settings = FedoraSettings.in(home);

    assertThat(settings.resourceIndex()).isFalse();
    assertThat(settings.triplestore().name()).isEqualTo("none");
  }

  @Test
  void readsTheLiteralLimitOfEachTriplestore() throws Exception {
    edit("postgres.PostgresDDLGenerator", "mysql.MysqlDDLGenerator");
    assertThat(FedoraSettings.in(home).triplestore())
        .isEqualTo(new FedoraSettings.Triplestore("mptstore", 255, false, 10))
        .isEqualTo(triplestoreOf("mptstore-mysql"));
    edit("mysql.MysqlDDLGenerator", "derby.DerbyDDLGenerator");
    assertThat(FedoraSettings.in(home).triplestore())
        .isEqualTo(new FedoraSettings.Triplestore("mptstore", 512, false, 10))
        .isEqualTo(triplestoreOf("mptstore-derby"));
    edit(
        "name=\"datastore\" value=\"localPostgresMPTTriplestore\"",
        "name=\"datastore\" value=\"localMulgaraTriplestore\"");
    assertThat(FedoraSettings.in(home).triplestore())
        .isEqualTo(
            new FedoraSettings.Triplestore("mulgara", Integer.MAX_VALUE, false, Integer.MAX_VALUE));
  }

  @Test
  void namespacesAreSplitAsFedoraSplitsThem() throws IOException {
    edit(
        "<param name=\"storagePool\"",
        "<param name=\"retainPIDs\" value=\" demo,test  patent\"/><param name=\"storagePool\"");
    assertThat(FedoraSettings.in(home).retainedNamespaces())
        .contains(Set.of("demo", "test", "patent"));
    edit("\" demo,test  patent\"", "\"*\"");
    assertThat(FedoraSettings.in(home).retainedNamespaces()).isEmpty();
  }

  @Test
  void aPoolThatGrowsHasNoEnd() throws IOException {
    edit("name=\"whenExhaustedAction\" value=\"1\"", "name=\"whenExhaustedAction\" value=\"2\"");
    assertThat(FedoraSettings.in(home).databaseConnections()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aConnectorThatSharesThreadsHasThoseOfItsExecutor() throws IOException {
    Path server = home.resolve("tomcat/conf/server.xml");
    Files.writeString(
        server, Files.readString(server).replace("maxThreads=\"150\"", "executor=\"shared\""));
    assertThat(FedoraSettings.in(home).httpThreads()).contains(33);
  }

  private static FedoraSettings.Triplestore triplestoreOf(String profile) throws Exception {
    return FedoraSettings.of(Profiles.shipped().profile(profile)).triplestore();
  }

  @Test
  void aServletContainerElsewhereIsNotSeen() throws IOException {
    Files.delete(home.resolve("tomcat/conf/server.xml"));
    assertThat(FedoraSettings.in(home).httpThreads()).isEmpty();
  }

  @Test
  void aProfileMatchesItsHome() throws Exception {
    FedoraSettings settings = FedoraSettings.of(Profiles.shipped().profile("mptstore-postgresql"));

    assertThat(settings.triplestore())
        .isEqualTo(new FedoraSettings.Triplestore("mptstore", 2692, true, 10));
    assertThat(settings.databaseConnections()).isEqualTo(100);
    assertThat(settings.httpThreads()).contains(150);
    assertThat(settings.folders()).isEmpty();
  }

  @Test
  void rejectsAFolderThatIsNoHome() {
    assertThatThrownBy(() -> FedoraSettings.in(home.resolve("server")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not a Fedora home");
  }

  @Test
  void theHomeIsFoundByItsPort() {
    assertThat(FedoraSettings.isForPort(home, 8080)).isTrue();
    assertThat(FedoraSettings.isForPort(home, 8081)).isFalse();
    assertThat(FedoraSettings.isForPort(home.resolve("server"), 8080)).isFalse();
  }

  private void edit(String before, String after) throws IOException {
    String text = Files.readString(fcfg);
    assertThat(text).contains(before);
    Files.writeString(fcfg, text.replace(before, after));
  }
}
