package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.Test;

/**
 * Facts that a comparison treats as choices of the profile, against the existing choices and names.
 * Here since analysis does not depend on profiles, and in that package since the names are
 * package-private.
 */
class RunFactsNamesTest {

  @Test
  void everyDimensionThatIsNamedIsOne() {
    Set<String> named = new TreeSet<>();
    named.addAll(RunFacts.FEDORA_DIMENSIONS);
    named.addAll(RunFacts.FEDORA_COMMAND_DIMENSIONS);
    for (Map<String, Set<String>> table :
        List.of(
            RunFacts.VERSION_DIMENSIONS,
            RunFacts.DATASET_DIMENSIONS,
            RunFacts.ARTIFACT_DIMENSIONS)) {
      table.values().forEach(named::addAll);
    }
    Set<String> dimensions = new TreeSet<>();
    for (Dimension dimension : Dimension.values()) {
      dimensions.add(dimension.key());
    }

    assertThat(dimensions).containsAll(named);
  }

  @Test
  void settingsAreNamedByTheirDimensionSoThatADifferenceIsOne() throws Exception {
    Profile profile = Profiles.ofUser().profile("mptstore-postgresql", List.of());

    assertThat(profile.settingsAsText().keySet())
        .allMatch(
            name -> profile.choicesAsText().containsKey(name.substring(0, name.indexOf('.'))));
  }

  @Test
  void whatAProfileDecidesAboutADatasetHasTheNamesThatTheDatasetWritesDown() {
    Map<String, String> parameters = new LinkedHashMap<>();
    DatasetOptions.unlimited("patent").addTo(parameters);

    assertThat(parameters.keySet()).containsAll(RunFacts.DATASET_DIMENSIONS.keySet());
    assertThat(RunFacts.DATASET_DIMENSIONS.keySet())
        .as("all that it writes down but the namespace, which no profile changes")
        .containsExactlyInAnyOrderElementsOf(
            parameters.keySet().stream().filter(name -> !name.equals("pidNamespace")).toList());
  }
}
