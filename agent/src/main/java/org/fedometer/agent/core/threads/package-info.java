/** The threads of the JVM, and those of them that are the agent's. */
package org.fedometer.agent.core.threads;
