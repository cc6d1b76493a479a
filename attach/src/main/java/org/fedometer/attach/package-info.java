/**
 * The tool's side of the agent. {@link org.fedometer.attach.Jvms} finds JVMs on this host, {@link
 * org.fedometer.attach.AgentTool} loads the agent and gives it commands, {@link
 * org.fedometer.attach.LiveStages} sums up the data of {@code top}. Linux and HotSpot; needs only a
 * JRE, even without {@code jdk.attach}.
 */
package org.fedometer.attach;
