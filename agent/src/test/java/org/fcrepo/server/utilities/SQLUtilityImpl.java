package org.fcrepo.server.utilities;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Stand-in with the name and shape of Fedora's, for the agent to weave. */
public class SQLUtilityImpl {

  public int i_addRow(PreparedStatement statement) throws SQLException {
    try {
      return statement.executeUpdate();
    } finally {
      statement.close();
    }
  }
}
