package org.fedometer.agent.core.weave;

import java.lang.reflect.Proxy;

/** Classes that custom stages never match, whatever their pointcuts. Stateless, any thread. */
final class CustomStageScope {

  private static final String[] NEVER_WOVEN = {
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "org.aspectj.",
    "aj.org.",
    "org.fedometer.agent.",
    "org.fedometer.aspects.",
    "org.fedometer.wire."
  };

  private CustomStageScope() {}

  static boolean isNeverWoven(String className) {
    for (String prefix : NEVER_WOVEN) {
      if (className.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a class of this loader belongs neither to the JDK nor to Fedometer. */
  static boolean isFedoras(ClassLoader loader) {
    return loader != null
        && loader != ClassLoader.getSystemClassLoader().getParent()
        && (loader != CustomStageScope.class.getClassLoader()
            || loader == ClassLoader.getSystemClassLoader());
  }

  static boolean canHaveStages(Class<?> type) {
    return !type.isArray()
        && !type.isPrimitive()
        && isFedoras(type.getClassLoader())
        && !isNeverWoven(type.getName())
        && !Proxy.isProxyClass(type);
  }
}
