/**
 * The tool's side of the agent: {@link org.fedometer.attach.Jvms} finds JVMs on this host, {@link
 * org.fedometer.attach.AgentTool} brings the agent into one and gives it commands, {@link
 * org.fedometer.attach.LiveStages} adds up what {@code top} shows. Linux and HotSpot; the JDK is
 * enough, a JRE without {@code jdk.attach} too.
 */
package org.fedometer.attach;
