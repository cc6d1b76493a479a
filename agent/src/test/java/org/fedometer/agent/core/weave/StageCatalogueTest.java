package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the catalogue of built-in stages, read from the compiled aspects outside Fedora. */
class StageCatalogueTest {

  private final Map<String, Map<String, List<String>>> groups = new StageCatalogue().get();

  @Test
  void everyStageIsInAGroupAndTimesSomething() throws Exception {
    assertThat(groups.keySet())
        .containsExactly(
            "Requests",
            "Authorization",
            "Ingest",
            "Updates, purges, reads",
            "Files",
            "Database",
            "Triples",
            "Messages");
    assertThat(groups.values().stream().flatMap(stages -> stages.keySet().stream()))
        .containsExactlyInAnyOrderElementsOf(
            WeavingPlan.load(CustomStages.none()).stages().stream()
                .map(PlannedStage::name)
                .toList());
    assertThat(groups.values())
        .allSatisfy(stages -> assertThat(stages.values()).noneMatch(List::isEmpty));
  }

  @Test
  void showsParametersOfOverloadedMethods() {
    assertThat(groups.get("Ingest").get("ingest"))
        .containsExactly(
            "org.fcrepo.server.management.DefaultManagement.ingest",
            "fedora.server.management.DefaultManagement.ingest");
    assertThat(groups.get("Ingest").get("ingest.validate"))
        .containsExactly(
            "org.fcrepo.server.validation.DOValidatorImpl.validate(java.io.File, ..)",
            "fedora.server.validation.DOValidatorImpl.validate(java.io.File, ..)");
  }

  @Test
  void describesACallWithItsCaller() {
    assertThat(groups.get("Ingest").get("ingest.receive"))
        .containsExactly(
            "call of org.fcrepo.server.utilities.StreamUtility.pipeStream in"
                + " org.fcrepo.server.storage.DefaultDOManager",
            "call of fedora.server.utilities.StreamUtility.pipeStream in"
                + " fedora.server.storage.DefaultDOManager");
    assertThat(groups.get("Database").get("database.update"))
        .contains(
            "call of java.sql.Statement.executeUpdate in"
                + " org.fcrepo.server.storage.DefaultDOManager.doCommit");
  }

  @Test
  void whatIsLeftOutIsNamed() {
    assertThat(groups.get("Authorization").get("authorization"))
        .containsExactly(
            "org.fcrepo.server.security.DefaultAuthorization.enforce* but not enforceIngest",
            "fedora.server.security.DefaultAuthorization.enforce* but not enforceIngest");
    assertThat(groups.get("Triples").get("triples.generate"))
        .containsExactly(
            "org.fcrepo.server.resourceIndex.ResourceIndexImpl.exportObject",
            "call of org.fcrepo.server.resourceIndex.TripleGenerator.getTriplesForObject in"
                + " org.fcrepo.server.resourceIndex.ResourceIndexImpl but not in exportObject",
            "call of fedora.server.resourceIndex.TripleGenerator.getTriplesForObject in"
                + " fedora.server.resourceIndex.ResourceIndexImpl but not in exportObject");
  }

  @Test
  void aWaitHasABeginAndAnEnd() {
    assertThat(groups.get("Ingest").get("ingest.prepare.wait"))
        .containsExactly(
            "call of org.fcrepo.server.storage.DOManager.getIngestWriter in"
                + " org.fcrepo.server.management.DefaultManagement",
            "call of fedora.server.storage.DOManager.getIngestWriter in"
                + " fedora.server.management.DefaultManagement",
            "until org.fcrepo.server.storage.DefaultDOManager.getIngestWriter",
            "until fedora.server.storage.DefaultDOManager.getIngestWriter");
  }
}
