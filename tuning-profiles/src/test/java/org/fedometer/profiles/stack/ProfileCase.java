package org.fedometer.profiles.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.ProfileFileException;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.UnknownProfileException;

/** A stack that {@link ProfilesIT} tries: one choice for each dimension that matters. */
record ProfileCase(
    String triplestore,
    String database,
    String java,
    String gc,
    String fedora,
    String lowlevel,
    String connector,
    String xacml) {

  /**
   * Cases for CI: any two compatible choices occur together in one of them, as {@link
   * ProfileCaseTest} checks.
   */
  static final List<ProfileCase> PAIRWISE =
      List.of(
          new ProfileCase("mptstore", "derby", "25", "serial", "3.5", "legacy-fs", "nio", "true"),
          new ProfileCase("mptstore", "derby", "25", "parallel", "3.5", "akubra-fs", "bio", "true"),
          new ProfileCase("mulgara", "derby", "17", "g1", "3.8.1", "akubra-fs", "bio", "false"),
          new ProfileCase(
              "mulgara", "derby", "25", "shenandoah", "3.8.1", "legacy-fs", "bio", "true"),
          new ProfileCase("mulgara", "derby", "17", "zgc", "3.8.1", "legacy-fs", "nio", "false"),
          new ProfileCase(
              "mulgara", "postgresql", "17", "serial", "3.8.1", "legacy-fs", "bio", "false"),
          new ProfileCase(
              "mulgara", "postgresql", "17", "parallel", "3.8.1", "legacy-fs", "nio", "false"),
          new ProfileCase("mptstore", "postgresql", "25", "g1", "3.5", "legacy-fs", "nio", "true"),
          new ProfileCase(
              "mptstore", "postgresql", "17", "shenandoah", "3.8.1", "akubra-fs", "bio", "false"),
          new ProfileCase(
              "mptstore", "postgresql", "25", "zgc", "3.8.1", "legacy-fs", "bio", "false"),
          new ProfileCase(
              "mptstore", "mysql", "17", "serial", "3.8.1", "akubra-fs", "nio", "false"),
          new ProfileCase(
              "mptstore", "mysql", "25", "parallel", "3.8.1", "akubra-fs", "bio", "false"),
          new ProfileCase("mptstore", "mysql", "25", "g1", "3.8.1", "akubra-fs", "nio", "true"),
          new ProfileCase(
              "mulgara", "mysql", "25", "shenandoah", "3.8.1", "legacy-fs", "nio", "true"),
          new ProfileCase("mptstore", "mysql", "25", "zgc", "3.5", "akubra-fs", "bio", "false"),
          new ProfileCase(
              "mulgara", "mariadb", "25", "serial", "3.8.1", "legacy-fs", "bio", "false"),
          new ProfileCase(
              "mulgara", "mariadb", "25", "parallel", "3.8.1", "akubra-fs", "nio", "false"),
          new ProfileCase("mptstore", "mariadb", "25", "g1", "3.8.1", "akubra-fs", "nio", "true"),
          new ProfileCase(
              "mulgara", "mariadb", "25", "shenandoah", "3.5", "akubra-fs", "bio", "false"),
          new ProfileCase("mptstore", "mariadb", "17", "zgc", "3.8.1", "legacy-fs", "bio", "true"));

  private static final List<String> DATABASES = List.of("derby", "postgresql", "mysql", "mariadb");

  /**
   * Every triplestore on every database under every Java with every garbage collector that it has,
   * and every Fedora that runs on it; the rest of the dimensions changes from one to the next.
   */
  static List<ProfileCase> all() throws UnknownProfileException {
    Profiles profiles = Profiles.shipped();
    List<ProfileCase> all = new ArrayList<>();
    for (String java : profiles.choices(Dimension.JVM)) {
      for (String gc : profiles.choices(Dimension.GC)) {
        for (String fedora : profiles.choices(Dimension.FEDORA)) {
          if (!java.equals("current") && with(0, "none", "derby", java, gc, fedora).isPossible()) {
            for (String database : DATABASES) {
              for (String triplestore : profiles.choices(Dimension.TRIPLESTORE)) {
                all.add(with(all.size(), triplestore, database, java, gc, fedora));
              }
            }
          }
        }
      }
    }
    return all;
  }

  private static ProfileCase with(
      int number, String triplestore, String database, String java, String gc, String fedora) {
    return new ProfileCase(
        triplestore,
        database,
        java,
        gc,
        fedora,
        number % 2 == 0 ? "akubra-fs" : "legacy-fs",
        number / 2 % 2 == 0 ? "bio" : "nio",
        Boolean.toString(number / 4 % 2 != 0));
  }

  private boolean isPossible() throws UnknownProfileException {
    try {
      profile();
      return true;
    } catch (ProfileFileException e) {
      return false;
    }
  }

  /** Returns whether no earlier case in the list has its triplestore on its database. */
  boolean isFirstOfItsProducts(List<ProfileCase> cases) {
    return cases.stream()
        .filter(each -> each.triplestore.equals(triplestore) && each.database.equals(database))
        .findFirst()
        .filter(this::equals)
        .isPresent();
  }

  /** Choices by dimension. */
  Map<String, String> choices() {
    Map<String, String> choices = new TreeMap<>();
    choices.put("triplestore", triplestore);
    choices.put("database", database);
    choices.put("jvm", java);
    choices.put("gc", gc);
    choices.put("fedora", fedora);
    choices.put("lowlevel", lowlevel);
    choices.put("connector", connector);
    choices.put("fedora.xacml", xacml);
    return choices;
  }

  /** The profile, with a heap for small machines and with what else is to be changed. */
  Profile profile(String... more) throws UnknownProfileException {
    List<String> changes = new ArrayList<>();
    choices().forEach((dimension, choice) -> changes.add(dimension + "=" + choice));
    changes.add("heap=640m");
    // The quick compiler only: these JVMs live for a minute and would compile for most of it.
    changes.add("jvm.arguments+=-XX:TieredStopAtLevel=1");
    changes.addAll(List.of(more));
    return Profiles.shipped().profile("mptstore-postgresql", changes);
  }

  @Override
  public String toString() {
    return String.join(" ", triplestore, database, "java-" + java, gc)
        + " "
        + String.join(" ", "fedora-" + fedora, lowlevel, connector, "xacml-" + xacml);
  }
}
