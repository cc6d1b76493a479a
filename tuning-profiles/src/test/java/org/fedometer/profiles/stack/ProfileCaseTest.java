package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that the tested stacks are the intended ones. */
class ProfileCaseTest {

  private static final Map<String, List<String>> CHOICES = new LinkedHashMap<>();

  static {
    CHOICES.put("triplestore", List.of("mulgara", "mptstore"));
    CHOICES.put("database", List.of("derby", "postgresql", "mysql", "mariadb"));
    CHOICES.put("jvm", List.of("17", "25"));
    CHOICES.put("gc", List.of("serial", "parallel", "g1", "zgc", "shenandoah"));
    CHOICES.put("fedora", List.of("3.8.1", "3.5"));
    CHOICES.put("lowlevel", List.of("akubra-fs", "legacy-fs"));
    CHOICES.put("connector", List.of("bio", "nio"));
    CHOICES.put("fedora.xacml", List.of("false", "true"));
  }

  @Test
  void anyTwoChoicesMeet() {
    List<String> dimensions = new ArrayList<>(CHOICES.keySet());
    List<String> unmet = new ArrayList<>();
    for (String one : dimensions) {
      for (String other : dimensions.subList(dimensions.indexOf(one) + 1, dimensions.size())) {
        for (String first : CHOICES.get(one)) {
          for (String second : CHOICES.get(other)) {
            if (ProfileCase.PAIRWISE.stream()
                .map(ProfileCase::choices)
                .noneMatch(each -> each.get(one).equals(first) && each.get(other).equals(second))) {
              unmet.add(one + "=" + first + " " + other + "=" + second);
            }
          }
        }
      }
    }
    // The older Fedora is tried on the newest Java on which it runs.
    assertThat(unmet).containsExactly("jvm=17 fedora=3.5");
  }

  @Test
  void pairwiseCasesAreFewAndPossible() throws Exception {
    assertThat(ProfileCase.PAIRWISE)
        .hasSize(CHOICES.get("database").size() * CHOICES.get("gc").size())
        .doesNotHaveDuplicates();
    for (ProfileCase each : ProfileCase.PAIRWISE) {
      assertThat(each.profile().missing()).isEmpty();
    }
  }

  @Test
  void allProfilesAreAllCombinationsThatCanBe() throws Exception {
    List<ProfileCase> all = ProfileCase.all();

    assertThat(all).doesNotHaveDuplicates();
    for (String dimension : List.of("triplestore", "database", "jvm", "gc")) {
      Set<String> tried =
          all.stream().map(each -> each.choices().get(dimension)).collect(Collectors.toSet());
      assertThat(tried).containsAll(CHOICES.get(dimension));
    }
    assertThat(all.stream().filter(each -> each.java().equals("17")).map(ProfileCase::gc))
        .contains("zgc")
        .doesNotContain("cms", "zgc-generational");
    assertThat(all.stream().filter(each -> each.java().equals("8")).map(ProfileCase::gc))
        .contains("cms")
        .doesNotContain("zgc");
  }
}
