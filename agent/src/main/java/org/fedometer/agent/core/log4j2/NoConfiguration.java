package org.fedometer.agent.core.log4j2;

import java.lang.reflect.Proxy;
import java.util.Collections;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.lookup.StrSubstitutor;

/**
 * A minimal configuration for the layout: no plugin packages, no look-ups. All of Log4j2's own,
 * even the empty one, add look-ups, a scheduler and the thread's context map.
 */
final class NoConfiguration {

  private NoConfiguration() {}

  static Configuration get() {
    return (Configuration)
        Proxy.newProxyInstance(
            NoConfiguration.class.getClassLoader(),
            new Class<?>[] {Configuration.class},
            (self, method, arguments) -> {
              switch (method.getName()) {
                case "getPluginPackages":
                  return Collections.emptyList();
                case "getStrSubstitutor":
                  return new StrSubstitutor();
                default:
                  throw new UnsupportedOperationException(method.getName());
              }
            });
  }
}
