package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PidTableTest {

  private static final int ALL =
      PidTable.FILE | PidTable.READABLE | PidTable.REGISTERED | PidTable.FIELDS;

  @Test
  void anObjectWithAllItsPartsIsConsistent() {
    PidTable table = new PidTable(10);
    table.mark("a:1", ALL);
    table.addContent("a:1", 2);
    table.addContent("a:1", -1);
    assertThat(table.isConsistent("a:1")).isFalse();

    table.addContent("a:1", -1);
    table.addTriples("a:1", 4711);
    assertThat(table.isConsistent("a:1")).isFalse();

    table.addTriples("a:1", -4711);
    assertThat(table.isConsistent("a:1")).isTrue();
    assertThat(table.inconsistent()).isZero();
  }

  @Test
  void eachMissingPartIsAnInconsistency() {
    for (int part : new int[] {1, 2, 4, 8}) {
      PidTable table = new PidTable(10);
      table.mark("a:1", ALL & ~part);
      assertThat(table.isConsistent("a:1")).as("without %s", part).isFalse();
    }
    PidTable table = new PidTable(10);
    table.mark("a:1", ALL | PidTable.CONTENT_MISSING);
    table.mark("a:2", PidTable.TRIPLES);
    table.mark("a:3", PidTable.CONTENT);
    table.mark("a:4", PidTable.DATES);
    assertThat(table.inconsistent()).isEqualTo(4);
  }

  @Test
  void triplesThatAreNotComparedAreNoInconsistency() {
    PidTable table = new PidTable(10);
    table.mark("a:1", ALL | PidTable.TRIPLES | PidTable.TRIPLES_UNKNOWN);
    table.addTriples("a:1", 5);
    assertThat(table.isConsistent("a:1")).isTrue();
  }

  @Test
  void anAbsentPidIsConsistent() {
    PidTable table = new PidTable(10);
    assertThat(table.isConsistent("a:1")).isTrue();
    assertThat(table.marks("a:1")).isZero();
    assertThat(table.inconsistent()).isZero();
  }

  @Test
  void itGrowsWithWhatItHolds() {
    PidTable table = new PidTable(0);
    int many = 200_000;
    for (int i = 0; i < many; i++) {
      table.mark("patents:" + i, i % 2 == 0 ? ALL : PidTable.FILE);
    }
    assertThat(table.files()).isEqualTo(many);
    assertThat(table.inconsistent()).isEqualTo(many / 2);
    for (int i = 0; i < many; i++) {
      assertThat(table.isConsistent("patents:" + i)).isEqualTo(i % 2 == 0);
    }
  }

  @Test
  void contentAndTriplesThatItGrowsForAreCounted() {
    PidTable table = new PidTable(0);
    int many = 20_000;
    for (int i = 0; i < many; i++) {
      // Whichever of the two comes first for a PID may be what it grows for.
      if (i % 2 == 0) {
        table.addContent("patents:" + i, 1);
        table.addTriples("patents:" + i, 4711);
      } else {
        table.addTriples("patents:" + i, 4711);
        table.addContent("patents:" + i, 1);
      }
    }
    for (int i = 0; i < many; i++) {
      table.mark("patents:" + i, ALL);
      assertThat(table.isConsistent("patents:" + i)).isFalse();
      table.addContent("patents:" + i, -1);
      table.addTriples("patents:" + i, -4711);
      assertThat(table.isConsistent("patents:" + i)).isTrue();
    }
  }
}
