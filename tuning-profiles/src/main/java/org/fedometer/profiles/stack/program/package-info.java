/**
 * Third-party programs as processes of this host: unpacking, running, monitoring and ending them,
 * and reporting their failures.
 */
package org.fedometer.profiles.stack.program;
