/**
 * The agent's engine, in a class loader of its own: {@link org.fedometer.agent.core.Agent} carries
 * out commands, a measurement has everything between an attach and its end. All of it runs on
 * threads of our own.
 */
package org.fedometer.agent.core;
