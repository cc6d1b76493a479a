package org.fedometer.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles from YAML files: what is shipped, and what a mistake in a file answers. */
class ProfilesTest {

  @TempDir Path folder;

  @BeforeEach
  void copyTheShippedFiles() throws IOException {
    Path shipped = Path.of("src/main/profiles");
    try (var paths = Files.walk(shipped)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path copy = folder.resolve(shipped.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(path, copy);
        }
      }
    }
  }

  @Test
  void everyShippedProfileLoads() throws Exception {
    Profiles shipped = Profiles.shipped();
    assertThat(shipped.names())
        .contains("mptstore-postgresql", "mulgara-derby", "fiz-remote-database", "tuned");
    for (String name : shipped.names()) {
      // Those of a Java or a collector that has gone need a change; they are there all the same.
      assertThat(shipped.profile(name).choices()).hasSize(Dimension.values().length);
    }
  }

  @Test
  void everyChoiceHasDescriptionEffectAndSource() {
    Profiles shipped = Profiles.shipped();
    for (Dimension dimension : Dimension.values()) {
      assertThat(shipped.choices(dimension)).isNotEmpty();
      for (String choice : shipped.choices(dimension)) {
        assertThat(shipped.about(dimension, choice))
            .as(dimension.key() + " " + choice)
            .containsOnlyKeys("description", "effect", "source");
      }
    }
  }

  @Test
  void theyAreFoundInAJarToo() throws Exception {
    Path jar = folder.resolve("a b.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
        Stream<Path> paths = Files.walk(Path.of("src/main/profiles"))) {
      for (Path path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
        zip.putNextEntry(new ZipEntry("p/" + Path.of("src/main/profiles").relativize(path)));
        Files.copy(path, zip);
      }
    }
    URL anchor = URI.create("jar:" + jar.toUri() + "!/p/" + Profiles.DEFAULT + ".yaml").toURL();
    Profiles inJar = Profiles.of(ProfileFiles.beside(anchor));

    assertThat(inJar.names()).isEqualTo(Profiles.shipped().names());
    assertThat(inJar.profile("mulgara-derby"))
        .isEqualTo(Profiles.shipped().profile("mulgara-derby"));
  }

  @Test
  void theDefaultIsMptstoreOnPostgresqlWithItsLiteralLimit() throws Exception {
    Profile profile = Profiles.shipped().profile(Profiles.DEFAULT);

    assertThat(profile.choice(Dimension.TRIPLESTORE)).isEqualTo("mptstore");
    assertThat(profile.choice(Dimension.DATABASE)).isEqualTo("postgresql");
    assertThat(profile.literalLimitBytes()).isEqualTo(2692);
    assertThat(profile.list("jvm.libraries")).contains("javax.jws:javax.jws-api:1.1");
    assertThat(profile.settings().get("database.maxActive").origin().toString())
        .matches("database/postgresql\\.yaml:\\d+");
  }

  @Test
  void mulgaraKnowsNoLiteralLimit() throws Exception {
    assertThat(Profiles.shipped().profile("mulgara-derby").literalLimitBytes())
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aCommandChangesChoicesAndSettings() throws Exception {
    Profile profile =
        Profiles.shipped()
            .profile(
                "mulgara-derby",
                List.of(
                    "gc=zgc",
                    "jvm=25",
                    "heap=2g",
                    "triplestore.syncUpdates=true",
                    "jvm.arguments+=-Xss1m"));

    assertThat(profile.label())
        .isEqualTo(
            "mulgara-derby gc=zgc jvm=25 heap=2g triplestore.syncUpdates=true"
                + " jvm.arguments+=-Xss1m");
    assertThat(profile.list("gc.arguments")).containsExactly("-XX:+UseZGC");
    assertThat(profile.javaVersion()).isEqualTo(25);
    assertThat(profile.text("heap.minimum")).isEqualTo("2g");
    assertThat(profile.text("heap.maximum")).isEqualTo("2g");
    assertThat(profile.text("heap.disableExplicitGC")).isEqualTo("true");
    assertThat(profile.list("jvm.needed")).contains("--add-opens=java.base/java.lang=ALL-UNNAMED");
    assertThat(profile.list("jvm.arguments")).containsExactly("-Xss1m");
    assertThat(profile.settings().get("triplestore.syncUpdates").origin()).hasToString("--set");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          gc=cms         | --set: gc cms cannot be combined with jvm 17, only with 8-13: Java 14
          jvm=8 gc=zgc   | --set: gc zgc cannot be combined with jvm 8, only with 11-14, 15+: it came
          gc=zcg         | --set: unknown gc 'zcg'; there are: cms, default, g1, parallel, serial
          gc=paralel     | shenandoah, zgc, zgc-generational; perhaps you mean parallel
          jvm=18         | --set: unknown jvm '18'; there are: 11, 17, 21, 25, 8, current
          gcc=g1         | , lowlevel, connector; perhaps you mean gc
          fedora.validatio=all | unknown setting 'validatio' of fedora 3.8.1; perhaps you mean valida
          heap=2gb       | --set: unknown heap '2gb'; there are: fixed, and a size such as 512m
          heap.minimum=3g| --set: heap.minimum 3g is above heap.maximum 1g
          gc             | --set: 'gc' is neither DIMENSION=CHOICE nor DIMENSION.KEY=VALUE
          gcc.x=1        | --set: 'gcc.x=1' is neither DIMENSION=CHOICE nor DIMENSION.KEY=VALUE
          database.maxActive=many          | --set: maxActive: 'many' is not a whole number from 1
          database.shared_buffers=128      | --set: shared_buffers: '128' is not a size such as
          database.innodb_doublewrite=off  | --set: unknown setting 'innodb_doublewrite' of database
          database.max_connections=50      | --set: database.max_connections 50 is too few
          triplestore.bufferSafeCapacity=9 | triplestore.autoFlushBufferSize 1000 is above
          triplestore.autoFlushBufferSize=999 | triplestore.bufferFlushBatchSize 1000 is above
          jvm.arguments+=-Xmx9g            | jvm.arguments -Xmx9g: choose the heap's size with heap
          jvm.arguments+=-mx9g             | jvm.arguments -mx9g: choose the heap's size with heap
          jvm.arguments+=-XX:+UseG1GC      | -XX:+UseG1GC: choose the garbage collector with gc
          gc.arguments+=-Xmx4g             | --set: gc.arguments -Xmx4g: choose the heap's size with
          gc.arguments=-XX:MaxRAMPercentage=9     | choose the heap's size with heap
          gc.arguments+=-XX:-DisableExplicitGC    | set heap.disableExplicitGC
          heap=99999999999999999999g | --set: unknown heap '99999999999999999999g'; there are: fixed,
          heap=999999999999g         | a size such as 512m or 2g, from 1m to 1024g
          heap.maximum=1025g         | --set: maximum: '1025g' is not a size such as 512m or 2g, from
          heap=1023k                 | --set: unknown heap '1023k'; there are: fixed, and a size such
          database.checkpoint_timeout=1s   | '1s' is not a time such as 30s, 5min or 1h, from 30s to 1d
          database.checkpoint_timeout=25h  | '25h' is not a time
          database.max_wal_size=31MB       | '31MB' is not a size such as 128MB or 2GB, from 32MB to
          database.work_mem=63kB           | '63kB' is not a size such as 128MB or 2GB, from 64kB to
          database.shared_buffers=127kB    | '127kB' is not a size such as 128MB or 2GB, from 128kB to
          database.wal_buffers=2GB         | '2GB' is not a size such as 128MB or 2GB, from 32kB to 20
          database.synchronous_commit=local | 'local' is not one of on, off
          database=mysql database.innodb_log_file_size=2G   | with MySQL 5.5, which has two such files
          database=mysql database.innodb_log_file_size=1K   | '1K' is not a size such as 128M or 2G,
          database=mariadb database.innodb_log_file_size=3M | is not possible with MariaDB; expected
          database=mysql database.innodb_buffer_pool_size=4M | '4M' is not a size such as 128M or 2G,
          database=mysql database.programs=system   | --set: database.programs system: an installed
          database=mysql database.programs=/opt/sql | --set: database.programs /opt/sql: an instal
          database.driver=org.mariadb.jdbc:mariadb-java-client:2.7.0 | class org.postgresql.Driver, wh
          database=mysql database.driver=org.postgresql:postgresql:42.7.13 | com.mysql.jdbc.Driver, wh
          connector.protocol=HTTP/1.1      | protocol: 'HTTP/1.1' is not the class of a Tomcat
          database=mysql triplestore.literalLength=256     | is above the key length of MySQL 5.5,
          database=mariadb triplestore.literalLength=10001 | is not a whole number from 202 to 10000
          heap.minimum+=1g                 | --set: heap.minimum is not a list; write = instead
          database=postgresql-external database.url=jdbc:mysql://h/d | is not a URL of postgresql
          database=mysql-external database.url=jdbc:mysql://me:pw@h/d | without user and password
          database=mysql-external database.url=jdbc:mysql://h/d?x=1&password=p | without user and
          database=mysql-external database.url=jdbc:mysql://h/d?USER=me        | without user and
          """)
  void rejectsImpossibleChanges(String changes, String message) {
    assertThatThrownBy(
            () ->
                Profiles.shipped()
                    .profile("fiz-java-17", Arrays.asList(changes.strip().split(" "))))
        .isInstanceOf(ProfileFileException.class)
        .hasMessageContaining(message.strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "heap=1m",
        "heap=1024g",
        "heap=1048576M",
        "database.checkpoint_timeout=30s",
        "database.checkpoint_timeout=1d",
        "database.max_wal_size=32768kB",
        "database=mysql database.innodb_log_file_size=2047M",
        "database=mysql database.innodb_log_file_size=1M",
        "database=mariadb database.innodb_log_file_size=512G",
        "database=mariadb database.programs=system",
        "database=mysql database.driver=com.mysql:mysql-connector-j:9.2.0",
        "database.driver=org.postgresql:postgresql:42.7.13",
        "gc.arguments+=-XX:MaxGCPauseMillis=50"
      })
  void acceptsValuesAtTheLimits(String changes) throws Exception {
    assertThat(with("fiz-java-17", changes.split(" ")).changes()).isNotEmpty();
  }

  @Test
  void theStudysRemoteDatabaseDiffersFromItsLocalOneInTheDatabaseAlone() throws Exception {
    Profile remote = Profiles.shipped().profile("fiz-remote-database");
    Map<Dimension, String> local =
        new EnumMap<>(Profiles.shipped().profile("fiz-mptstore-postgresql").choices());

    local.put(Dimension.DATABASE, "postgresql-external");
    assertThat(remote.choices()).isEqualTo(local);
    for (String missing : List.of("database.url", "database.triplesUrl", "database.passwordFile")) {
      assertThat(remote.description()).contains(missing);
    }
  }

  @Test
  void connectorsAreClassesAndNotWhateverTomcatChoosesHere() throws Exception {
    assertThat(Profiles.shipped().profile("mulgara-derby").text("connector.protocol"))
        .isEqualTo("org.apache.coyote.http11.Http11Protocol");
    assertThat(
            Profiles.shipped()
                .profile("mulgara-derby", List.of("connector=nio"))
                .text("connector.protocol"))
        .isEqualTo("org.apache.coyote.http11.Http11NioProtocol");
  }

  @Test
  void reportsAllProblemsAtOnce() {
    assertThatThrownBy(
            () ->
                Profiles.shipped()
                    .profile("tuned", List.of("database.fsync=maybe", "heap.maximum=1")))
        .hasMessageContaining("fsync: 'maybe'")
        .hasMessageContaining("maximum: '1'");
  }

  @Test
  void aKeyThatIsUnknownDoesNotHideWhatElseIsWrong() throws IOException {
    write(
        "yours.yaml",
        "description: yours",
        "base: mulgara-derby",
        "gcc: g1",
        "settings:",
        "  heap.maximum: 2 GB",
        "  database.fsync: off");
    Profiles profiles = Profiles.of(ProfileFiles.shippedIn(folder));

    assertThatThrownBy(() -> profiles.profile("yours", List.of("gcc=g1")))
        .hasMessageContaining("yours.yaml:3: unknown key 'gcc'")
        .hasMessageContaining("--set: 'gcc=g1' is neither")
        .hasMessageContaining("yours.yaml:5: maximum: '2 GB'")
        .hasMessageContaining("yours.yaml:6: unknown setting 'fsync'");
  }

  @Test
  void aBaseThatIsUnknownDoesNotHideAKeyThatIs() throws IOException {
    write("yours.yaml", "description: yours", "base: mulgara-derbi", "databse: mysql");
    Profiles profiles = Profiles.of(ProfileFiles.shippedIn(folder));

    assertThatThrownBy(() -> profiles.profile("yours"))
        .hasMessageContaining("yours.yaml:2: unknown base 'mulgara-derbi'")
        .hasMessageContaining("yours.yaml:3: unknown key 'databse'; perhaps you mean database");
  }

  @Test
  void reportsMissingSettingsOfAnExternalDatabase() throws Exception {
    Profile remote = Profiles.shipped().profile("fiz-remote-database");
    assertThat(remote.literalLimitBytes()).isEqualTo(2692);
    assertThat(remote.missing())
        .hasSize(3)
        .allMatch(sentence -> sentence.matches("database/postgresql-external.yaml:\\d+: .*"));

    assertThat(
            Profiles.shipped()
                .profile(
                    "fiz-remote-database",
                    List.of(
                        "database.url=jdbc:postgresql://db.example:5432/fedora",
                        "database.triplesUrl=jdbc:postgresql://db.example:5432/triples",
                        "database.passwordFile=/etc/secret"))
                .missing())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "mptstore-derby, '', 512",
    "mptstore-mysql, '', 255",
    "mptstore-mariadb, '', 255",
    "mptstore-mariadb, triplestore.literalLength=1000, 1000",
    "mulgara-mysql, '', 2147483647",
    "none-mysql, '', 2147483647"
  })
  void theLongestLiteralFollowsFromTheTriplestoresColumn(String name, String change, int bytes)
      throws Exception {
    List<String> changes = change.isEmpty() ? List.of() : List.of(change);
    Profile profile = Profiles.shipped().profile(name, changes);

    assertThat(profile.literalLimitBytes()).isEqualTo(bytes);
    assertThat(profile.hasTriplestore()).isEqualTo(!name.startsWith("none"));
  }

  @Test
  void anUnknownProfileListsWhatExists() {
    assertThatThrownBy(() -> Profiles.shipped().profile("mptstore-oracle"))
        .isInstanceOf(UnknownProfileException.class)
        .hasMessageStartingWith("no profile is called 'mptstore-oracle'; there are: ")
        .hasMessageContaining("mptstore-postgresql, ");
  }

  @Test
  void aFileOfADimensionIsNoProfile() {
    assertThatThrownBy(() -> Profiles.shipped().profile("gc/default"))
        .isInstanceOf(UnknownProfileException.class);
  }

  @Test
  void anUnknownSettingIsNamedWithFileAndLine() throws IOException {
    write("gc/default.yaml", "description: d", "settings:", "  arguments: []", "  argments: []");

    assertThatThrownBy(this::load)
        .isInstanceOf(ProfileFileException.class)
        .hasMessage(
            "gc/default.yaml:4: unknown setting 'argments' of gc; perhaps you mean arguments");
  }

  @Test
  void reportsTheAllowedUnits() throws IOException {
    write("heap/fixed.yaml", "description: d", "settings:", "  minimum: 1g", "  maximum: 1 GB");

    assertThatThrownBy(this::load)
        .hasMessage(
            "heap/fixed.yaml:4: maximum: '1 GB' is not a size such as 512m or 2g, from 1m to 1024g");
  }

  @Test
  void reportsTheLineOfAListItem() throws IOException {
    write(
        "gc/default.yaml",
        "description: d",
        "settings:",
        "  arguments:",
        "    - -XX:+UseG1GC",
        "    - UseZGC");

    assertThatThrownBy(this::load)
        .hasMessageStartingWith("gc/default.yaml:5: arguments: 'UseZGC' is not an argument");
  }

  @Test
  void anUnknownChoiceListsWhatExists() throws IOException {
    write("mine.yaml", mine("triplestore: blazegraph"));

    assertThatThrownBy(this::load)
        .hasMessage(
            "mine.yaml:2: unknown triplestore 'blazegraph'; there are: mptstore, mulgara, none;"
                + " those of your own are found with --profile-dir DIR");
  }

  @Test
  void anImpossibleCombinationIsRefused() throws IOException {
    write(
        "triplestore/picky.yaml",
        "description: d",
        "base: mulgara",
        "with-database:",
        "  mysql: {fetchSize: 7}",
        "  otherwise: it was never tried");
    write("mine.yaml", mine("triplestore: picky"));

    assertThatThrownBy(this::load)
        .hasMessage(
            "mine.yaml:2: triplestore picky cannot be combined with database derby, only with"
                + " mysql: it was never tried");
  }

  @Test
  void aSizeOfTheHeapIsMeantByItsNameAndByFixed() throws Exception {
    write(
        "connector/bio.yaml",
        "description: d",
        "settings: {protocol: a.B, acceptCount: 1, enableLookups: false}",
        "with-heap:",
        "  2g: {maxThreads: 20}",
        "  fixed: {maxThreads: 10}");
    Profiles profiles = Profiles.of(ProfileFiles.shippedIn(folder));

    assertThat(profiles.profile("mulgara-derby", List.of("heap=1g")).number("connector.maxThreads"))
        .isEqualTo(10);
    assertThat(profiles.profile("mulgara-derby", List.of("heap=2g")).number("connector.maxThreads"))
        .isEqualTo(20);
  }

  @ParameterizedTest
  @CsvSource({"mysql, 1", "other, 2", "like-mysql, 3", "other-like-mysql, 2"})
  void prefersAChoiceToItsBase(String database, int fetchSize) throws Exception {
    write("database/other.yaml", "description: d", "base: mysql");
    write("database/like-mysql.yaml", "description: d", "base: mysql", "like: derby");
    write("database/other-like-mysql.yaml", "description: d", "base: other");
    for (String order : List.of("other mysql derby", "mysql derby other", "derby other mysql")) {
      List<String> sizes = List.of("mysql", "other", "derby");
      List<String> lines =
          new ArrayList<>(List.of("description: d", "base: mptstore", "with-database:"));
      for (String name : order.split(" ")) {
        lines.add(
            "  %s: {fetchSize: %d, ddlGenerator: %s, backslashIsEscape: true, literalLength: 255}"
                .formatted(
                    name,
                    sizes.indexOf(name) + 1,
                    "org.nsdl.mptstore.impl.mysql.MysqlDDLGenerator"));
      }
      write("triplestore/mptstore-here.yaml", lines.toArray(String[]::new));

      assertThat(
              Profiles.of(ProfileFiles.shippedIn(folder))
                  .profile(
                      "mptstore-mysql",
                      List.of("triplestore=mptstore-here", "database=" + database))
                  .number("triplestore.fetchSize"))
          .as(order)
          .isEqualTo(fetchSize);
    }
  }

  @Test
  void oneVersionOfJavaIsCloserThanARangeOfThem() throws Exception {
    write(
        "gc/mine.yaml",
        "description: d",
        "with-jvm:",
        "  17: {arguments: [-Done]}",
        "  11-20: {arguments: [-Dsome]}",
        "  8+: {arguments: [-Dmany]}");
    Profiles profiles = Profiles.of(ProfileFiles.shippedIn(folder));

    assertThat(profiles.profile("fiz-java-17", List.of("gc=mine")).text("gc.arguments"))
        .isEqualTo("-Done");
    assertThat(profiles.profile("fiz-java-11", List.of("gc=mine")).text("gc.arguments"))
        .isEqualTo("-Dsome");
    assertThat(profiles.profile("fiz-java-25", List.of("gc=mine")).text("gc.arguments"))
        .isEqualTo("-Dmany");
  }

  @Test
  void aProfileOverridesASingleSetting() throws Exception {
    write(
        "mine.yaml", mine("triplestore: mulgara", "settings:", "  triplestore.syncUpdates: true"));

    Profile profile = load();

    assertThat(profile.text("triplestore.syncUpdates")).isEqualTo("true");
    assertThat(profile.settings().get("triplestore.syncUpdates").origin())
        .hasToString("mine.yaml:4");
  }

  @ParameterizedTest
  @CsvSource({
    "triplestore.store, none",
    "triplestore.connectorClassName, a.B",
    "triplestore.ddlGenerator, a.B",
    "triplestore.backslashIsEscape, true",
    "database.product, mysql",
    "database.server, external",
    "jvm.version, 8",
    "lowlevel.store, legacy-fs"
  })
  void essentialSettingsCannotBeOverridden(String setting, String value) throws IOException {
    write(
        "yours.yaml",
        "description: yours",
        "base: tuned",
        "settings:",
        "  %s: %s".formatted(setting, value));
    Profiles profiles = Profiles.of(ProfileFiles.shippedIn(folder));
    String reason =
        setting
            + " follows from the choice and cannot be set; choose another "
            + setting.split("\\.")[0];

    assertThatThrownBy(() -> profiles.profile("yours")).hasMessage("yours.yaml:4: " + reason);
    assertThatThrownBy(() -> profiles.profile("tuned", List.of(setting + "=" + value)))
        .hasMessage("--set: " + reason);
  }

  @Test
  void anOverrideOfNothingIsRefused() throws IOException {
    write("mine.yaml", mine("triplestore: mulgara", "settings:", "  syncUpdates: true"));

    assertThatThrownBy(this::load)
        .hasMessage(
            "mine.yaml:4: unknown setting 'syncUpdates'; expected dimension.key, and dimensions are:"
                + " triplestore, database, jvm, gc, heap, fedora, lowlevel, connector");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          product: postgresql, server: managed    | lacks settings: autovacuum, binaries, checkpoint_
          product: mysql, server: managed         | innodb_log_file_size, maxActive, max_connections,
          product: mysql, server: external    | lacks settings: driver, maxActive, passwordFile,
          product: derby, server: in-fedora   | lacks settings: dataFolder, maxActive, testOnBorrow,
          product: derby                      | lacks settings: server;
          maxActive: 9                        | lacks settings: product, server;
          product: derby, server: managed         | product derby cannot have the server managed; Derby
          product: mariadb, server: in-fedora | product mariadb cannot have the server in-fedora;
          """)
  void reportsMissingSettingsOfADatabase(String settings, String message) throws IOException {
    write("database/mine.yaml", "description: d", "settings: {" + settings.strip() + "}");

    assertThatThrownBy(() -> with("mulgara-derby", "database=mine"))
        .isInstanceOf(ProfileFileException.class)
        .hasMessageStartingWith("database/mine.yaml:")
        .hasMessageContaining("database mine")
        .hasMessageContaining(message.strip())
        .satisfies(e -> assertThat(((ProfileFileException) e).problems()).hasSize(1));
  }

  @Test
  void reportsMissingAndUnusedSettingsOfADatabase() throws IOException {
    write(
        "database/mine.yaml", "description: d", "base: postgresql", "settings: {server: external}");

    assertThatThrownBy(() -> with("mulgara-derby", "database=mine"))
        .hasMessage(
            """
            database/mine.yaml:1: database mine, of product postgresql and server external, lacks \
            settings: passwordFile, triplesUrl, url, user; add them, or name a base that has them
            database/mine.yaml:1: database mine, of product postgresql and server external, has \
            settings without effect: autovacuum, binaries, checkpoint_timeout, dataFolder, fsync, \
            full_page_writes, max_connections, max_wal_size, programs, shared_buffers, \
            synchronous_commit, walFolder, wal_buffers, work_mem; remove them, or name a base \
            without them"""
                .strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          triplestore | settings: {syncUpdates: true}   | triplestore mine lacks settings: store;
          triplestore | settings: {store: mulgara}      | whose store is mulgara, lacks settings: au
          triplestore | settings: {store: mptstore}     | fetchSize, literalLimitBytes, poolInitial
          triplestore | settings: {store: none, fetchSize: 1} | has settings without effect: fetchSize;
          jvm         | settings: {version: 17}         | jvm mine lacks settings: arguments, gcLog, h
          gc          | source: nobody                  | gc mine lacks settings: arguments;
          heap        | settings: {minimum: 1g}         | lacks settings: disableExplicitGC, maximum;
          fedora      | settings: {xacml: true}         | lacks settings: checksum, indexDCFields, ins
          lowlevel    | source: nobody                  | lowlevel mine lacks settings: store;
          connector   | settings: {maxThreads: 9}       | lacks settings: acceptCount, enableLookups,
          """)
  void reportsMissingSettingsOfAChoice(String dimension, String line, String message)
      throws IOException {
    write(dimension + "/mine.yaml", "description: d", line);

    assertThatThrownBy(() -> with("mulgara-postgresql", dimension + "=mine"))
        .isInstanceOf(ProfileFileException.class)
        .hasMessageStartingWith(dimension + "/mine.yaml:1: ")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "connectorClassName, a.B, store mptstore",
    "ddlGenerator, a.B, database postgresql",
    "backslashIsEscape, true, database postgresql"
  })
  void aTriplestoreOfPartsThatDoNotBelongTogetherIsRefused(String key, String value, String of)
      throws IOException {
    Map<String, String> beside = new TreeMap<>();
    beside.put("ddlGenerator", "org.nsdl.mptstore.impl.postgres.PostgresDDLGenerator");
    beside.put("backslashIsEscape", "false");
    beside.put("literalLimitBytes", "2692");
    beside.put(key, value);
    List<String> lines =
        new ArrayList<>(
            List.of("description: d", "base: mptstore", "with-database:", "  postgresql:"));
    beside.forEach((name, text) -> lines.add("    " + name + ": " + text));
    write("triplestore/mine.yaml", lines.toArray(String[]::new));

    assertThatThrownBy(() -> with("mptstore-postgresql", "triplestore=mine"))
        .isInstanceOf(ProfileFileException.class)
        .hasMessageStartingWith("triplestore/mine.yaml:")
        .hasMessageContaining("triplestore." + key + " " + value + " does not fit " + of);
  }

  @Test
  void inheritsSettingsFromTheBase() throws Exception {
    write(
        "mine.yaml", mine("triplestore: mulgara", "settings:", "  triplestore.syncUpdates: true"));
    write("yours.yaml", "description: yours", "base: mine", "heap: 2g");

    Profile yours = Profiles.of(ProfileFiles.shippedIn(folder)).profile("yours");

    assertThat(yours.choice(Dimension.DATABASE)).isEqualTo("derby");
    assertThat(yours.text("heap.maximum")).isEqualTo("2g");
    assertThat(yours.settings().get("triplestore.syncUpdates").origin()).hasToString("mine.yaml:4");
  }

  @Test
  void doesNotApplyBaseSettingsToAnotherChoice() throws Exception {
    write("yours.yaml", "description: yours", "base: tuned", "database: mysql");

    Profile yours = Profiles.of(ProfileFiles.shippedIn(folder)).profile("yours");

    assertThat(yours.has("database.synchronous_commit")).isFalse();
    assertThat(yours.text("database.testOnBorrow")).isEqualTo("true");
    assertThat(yours.text("fedora.validation")).isEqualTo("none");
  }

  @Test
  void appliesBaseSettingsToTheSameChoice() throws Exception {
    write("yours.yaml", "description: yours", "base: tuned", "database: postgresql");
    Profiles profiles = Profiles.of(ProfileFiles.shippedIn(folder));

    for (Profile same :
        List.of(
            profiles.profile("yours"), profiles.profile("tuned", List.of("database=postgresql")))) {
      assertThat(same.text("database.synchronous_commit")).isEqualTo("off");
      assertThat(same.settings().get("database.shared_buffers").origin().place())
          .isEqualTo("tuned.yaml");
    }
    assertThat(
            profiles
                .profile("tuned", List.of("database=mysql", "database=postgresql"))
                .text("database.synchronous_commit"))
        .isEqualTo("on");
  }

  @Test
  void aCircleOfBasesIsRefused() throws Exception {
    write("mine.yaml", "description: d", "base: yours");
    write("yours.yaml", "description: d", "base: mine");

    assertThatThrownBy(this::load)
        .hasMessage("yours.yaml:2: bases form a cycle: mine, yours, mine");
  }

  @Test
  void aBaseThatIsNotThereIsRefused() throws Exception {
    write("mine.yaml", "description: d", "base: nobody");

    assertThatThrownBy(this::load)
        .hasMessageStartingWith("mine.yaml:2: unknown base 'nobody'; there are: ")
        .hasMessageEndingWith("; those of your own are found with --profile-dir DIR");

    write("mine.yaml", "description: d", "base: mulgara-derbi");

    assertThatThrownBy(this::load)
        .hasMessage("mine.yaml:2: unknown base 'mulgara-derbi'; perhaps you mean mulgara-derby");
  }

  @Test
  void aMissingDimensionIsNamedWithItsChoices() throws Exception {
    write("mine.yaml", "description: d", "gc: g1");

    assertThatThrownBy(this::load)
        .hasMessageContaining(
            "mine.yaml:1: key 'connector' is missing, and no base has it; there are: bio, nio");
  }

  @Test
  void theUserFolderTakesPrecedence() throws Exception {
    Path own = Files.createDirectories(folder.resolve("own/database")).getParent();
    Files.write(
        own.resolve("database/big.yaml"),
        List.of("description: d", "base: postgresql", "settings:", "  shared_buffers: 8GB"));
    Files.write(
        own.resolve("tuned.yaml"), List.of("description: mine", "base: mptstore-postgresql"));

    Profiles profiles = Profiles.shipped().with(own);
    Profile big = profiles.profile("mptstore-postgresql", List.of("database=big"));

    // Statements about PostgreSQL also hold for profiles based on it.
    assertThat(big.text("triplestore.ddlGenerator")).contains("Postgres");
    assertThat(big.text("database.shared_buffers")).isEqualTo("8GB");
    assertThat(big.settings().get("database.shared_buffers").origin())
        .hasToString(own.resolve("database/big.yaml") + ":4");
    assertThat(profiles.profile("tuned").description()).isEqualTo("mine");
  }

  @Test
  void theUserFolderMayBeALinkWithUnreadableFolders() throws Exception {
    Path own = Files.createDirectories(folder.resolve("own/heap")).getParent();
    Files.write(own.resolve("mine.yaml"), List.of("description: d", "base: tuned", "heap: small"));
    Files.write(own.resolve("heap/small.yaml"), List.of("description: d", "base: fixed"));
    Path closed = Files.createDirectory(own.resolve("lost+found"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    try {
      Path link = Files.createSymbolicLink(folder.resolve("profiles"), own);

      Profiles profiles = Profiles.shipped().with(link);

      assertThat(profiles.profile("mine").choice(Dimension.HEAP)).isEqualTo("small");
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void aFileAnywhereIsAProfile() throws Exception {
    Path file = folder.resolve("elsewhere.yaml");
    Files.write(file, List.of("description: d", "base: mulgara-derby", "heap: 1500m"));

    Profile profile = Profiles.shipped().profile(file.toString());

    assertThat(profile.name()).isEqualTo("elsewhere");
    assertThat(profile.text("heap.minimum")).isEqualTo("1500m");
    assertThatThrownBy(() -> Profiles.shipped().profile(file + ".yaml"))
        .isInstanceOf(UnknownProfileException.class)
        .hasMessage("there is no file " + file + ".yaml");
  }

  @Test
  void aKeyThatIsThereTwiceIsRefused() throws IOException {
    write("heap/fixed.yaml", "description: d", "settings:", "  minimum: 1g", "  minimum: 2g");

    assertThatThrownBy(this::load)
        .isInstanceOf(ProfileFileException.class)
        .hasMessageStartingWith("heap/fixed.yaml:4: Duplicate field 'minimum'");
  }

  @Test
  void aTabIsCalledSoOnItsLine() throws IOException {
    write("heap/fixed.yaml", "description: d", "settings:", "\tminimum: 1g");

    assertThatThrownBy(this::load)
        .isInstanceOf(ProfileFileException.class)
        .hasMessageStartingWith("heap/fixed.yaml:3: not valid YAML: found character")
        .hasMessageContaining("TAB");
  }

  @Test
  void reportsTheLineOfBrokenYaml() throws IOException {
    write("heap/fixed.yaml", "description: d", "settings: {minimum: 1g");

    assertThatThrownBy(this::load)
        .isInstanceOf(ProfileFileException.class)
        .hasMessageStartingWith("heap/fixed.yaml:");
  }

  @Test
  void rejectsAFileThatIsNotUtf8() throws Exception {
    Files.write(folder.resolve("gc/g1.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe4, '\n'});

    assertThat(with("mulgara-derby").choice(Dimension.GC)).isEqualTo("default");
    assertThatThrownBy(() -> with("mulgara-derby", "gc=g1"))
        .hasMessage("gc/g1.yaml: it is not UTF-8; save it in UTF-8");
  }

  @Test
  void rejectsAChoiceWithoutDescription() throws IOException {
    write("gc/silent.yaml", "settings: {arguments: []}");

    assertThatThrownBy(
            () -> Profiles.of(ProfileFiles.shippedIn(folder)).about(Dimension.GC, "silent"))
        .isInstanceOf(ProfileFileException.class)
        .hasMessage("gc/silent.yaml:1: key 'description' is missing; expected text");
  }

  private Profile load() throws UnknownProfileException {
    String name = Files.exists(folder.resolve("mine.yaml")) ? "mine" : Profiles.DEFAULT;
    return Profiles.of(ProfileFiles.shippedIn(folder)).profile(name);
  }

  private Profile with(String name, String... changes) throws UnknownProfileException {
    return Profiles.of(ProfileFiles.shippedIn(folder)).profile(name, List.of(changes));
  }

  private void write(String file, String... lines) throws IOException {
    Files.write(folder.resolve(file), List.of(lines));
  }

  private static String[] mine(String... lines) {
    List<String> all = new ArrayList<>(List.of("description: mine"));
    all.addAll(List.of(lines));
    all.addAll(
        List.of(
            "database: derby",
            "jvm: current",
            "gc: default",
            "heap: 1g",
            "fedora: 3.8.1",
            "lowlevel: akubra-fs",
            "connector: bio"));
    return all.toArray(String[]::new);
  }
}
