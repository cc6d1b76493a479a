package fedora.server.storage;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;

/** Its connections accept statements and return nothing. */
public class ConnectionPool {
  public Connection getConnection() {
    return proxy(Connection.class);
  }

  public Object getTableCreatingConnection() {
    return getConnection();
  }

  public void free(Connection connection) {}

  private static <T> T proxy(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            ConnectionPool.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getReturnType() == Statement.class
                    ? proxy(Statement.class)
                    : method.getReturnType() == int.class ? 1 : null));
  }
}
