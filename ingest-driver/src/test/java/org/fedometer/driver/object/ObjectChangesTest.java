package org.fedometer.driver.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Set;
import org.fedometer.datasets.PackagedObject;
import org.fedometer.driver.TinyDataset;
import org.junit.jupiter.api.Test;

/** Changes of objects by steps of a mix or a study. */
class ObjectChangesTest {

  @Test
  void cannotModifyPackagedObjectsWithoutManagedContent() {
    PackagedObject bare =
        new PackagedObject(
            "p:1", "", List.of(), Set.of(), 1, 0, () -> new ByteArrayInputStream(new byte[0]));

    assertThat(ObjectChanges.canModify(bare)).isFalse();
    assertThatThrownBy(() -> ObjectChanges.modification(bare, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("p:1 has no managed content");
    assertThat(ObjectChanges.canModify(new TinyDataset().object(0))).isTrue();
  }
}
