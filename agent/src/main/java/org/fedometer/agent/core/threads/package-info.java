/** The threads of the JVM. */
package org.fedometer.agent.core.threads;
