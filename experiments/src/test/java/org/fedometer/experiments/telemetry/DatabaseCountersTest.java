package org.fedometer.experiments.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** That PostgreSQL 18 and MySQL understand the questions is shown by the main job's test. */
class DatabaseCountersTest {

  @Test
  void queriesTheViewsOfEachPostgresqlVersion() {
    assertThat(DatabaseCounters.postgresql(13))
        .contains("pg_stat_database", "pg_stat_user_tables", "checkpoints_timed")
        .contains("pg_current_wal_lsn.bytes")
        .doesNotContain("pg_stat_wal", "pg_stat_checkpointer", "pg_stat_io");
    assertThat(DatabaseCounters.postgresql(9)).doesNotContain("pg_current_wal_lsn");
    assertThat(DatabaseCounters.postgresql(16))
        .contains("checkpoints_timed", "pg_stat_wal.wal_bytes", "pg_stat_wal.wal_sync")
        .doesNotContain("pg_current_wal_lsn", "pg_stat_checkpointer", "pg_stat_io");
    assertThat(DatabaseCounters.postgresql(17))
        .contains("pg_stat_checkpointer.num_timed", "pg_stat_wal.wal_sync")
        .doesNotContain("checkpoints_timed", "pg_stat_io");
    assertThat(DatabaseCounters.postgresql(18))
        .contains("pg_stat_checkpointer.num_timed", "pg_stat_io.wal_fsyncs")
        .doesNotContain("pg_stat_wal.wal_sync");
  }
}
