/**
 * The agent core in its isolated class loader: {@link org.fedometer.agent.core.Agent} executes
 * commands, a measurement holds everything between an attach and its end. Runs only on the agent's
 * threads.
 */
package org.fedometer.agent.core;
