/** The JVM's threads, and the agent's own among them. */
package org.fedometer.agent.core.threads;
