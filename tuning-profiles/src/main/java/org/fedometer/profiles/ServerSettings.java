package org.fedometer.profiles;

import java.util.List;

/**
 * The settings that a database server of the stack's own takes from its profile under the server's
 * own names.
 */
public final class ServerSettings {

  /** Written into {@code postgresql.conf} as they are. */
  public static final List<String> POSTGRESQL =
      List.of(
          "max_connections",
          "shared_buffers",
          "work_mem",
          "wal_buffers",
          "max_wal_size",
          "checkpoint_timeout",
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "autovacuum");

  /** MySQL's and MariaDB's. */
  public static final List<String> INNODB =
      List.of(
          "max_connections",
          "innodb_buffer_pool_size",
          "innodb_log_file_size",
          "innodb_flush_log_at_trx_commit",
          "innodb_flush_method",
          "innodb_doublewrite");

  private ServerSettings() {}
}
